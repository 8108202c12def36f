# Tests of the house itself that are no GoogleTest programs: formatting, the installed package, skips, sanitizers.

target_sources(architecture_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/architecture/layers.cpp)
target_sources(house_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/house/page.cpp)

# A skip must fail wherever NPQ_SKIP_IS_FAILURE is set: this one "skips", so it must fail, so it passes.
add_test(NAME a_skipped_test_counts_as_failed COMMAND ${CMAKE_COMMAND} -E echo "[  SKIPPED ] Suite.Case")
set_tests_properties(a_skipped_test_counts_as_failed PROPERTIES
    FAIL_REGULAR_EXPRESSION "${NPQ_SKIPPED}" WILL_FAIL TRUE LABELS fast)

if(NOT NPQ_SANITIZE AND NOT NPQ_FUZZ)
  find_program(NPQ_CLANG_FORMAT clang-format-14)
  if(NPQ_CLANG_FORMAT)
    add_test(NAME sources_are_formatted COMMAND ${PROJECT_SOURCE_DIR}/tools/lint.sh format)
    set_tests_properties(sources_are_formatted PROPERTIES LABELS fast)
  elseif(NPQ_SKIP_IS_FAILURE)
    message(FATAL_ERROR "clang-format-14 is missing, so the formatting cannot be tested; install that package")
  endif()

  # A stranger's project against the installed package. A sanitized library would force its flags upon the stranger.
  add_test(NAME a_separate_project_finds_the_installed_package
           COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/consumer
                   -DWORK=${CMAKE_CURRENT_BINARY_DIR}/consumer -DGENERATOR=${CMAKE_GENERATOR}
                   -DCXX=${CMAKE_CXX_COMPILER} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/consumer_test.cmake)
  set_tests_properties(a_separate_project_finds_the_installed_package PROPERTIES LABELS fast)
  if(NPQ_TORCH)
    set(example ${PROJECT_SOURCE_DIR}/examples/queue_in_your_gnn.cpp)
    add_test(NAME a_queue_in_a_network_of_ones_own_learns
             COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/consumer
                     -DWORK=${CMAKE_CURRENT_BINARY_DIR}/example -DGENERATOR=${CMAKE_GENERATOR} -DEXAMPLE=${example}
                     -DCXX=${CMAKE_CXX_COMPILER} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/consumer_test.cmake)
    set_tests_properties(a_queue_in_a_network_of_ones_own_learns PROPERTIES
        LABELS train ENVIRONMENT "OMP_WAIT_POLICY=passive")
  endif()
endif()

# These two build the project once more, so only ./test and .ci/run ask for them.
if(NPQ_BUILDING_TESTS)
  add_test(NAME fast_tests_under_sanitizers COMMAND ${CMAKE_COMMAND} --workflow --preset smoke
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME run_without_arguments_ends_with_a_report
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/house/run_test.sh WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(fast_tests_under_sanitizers run_without_arguments_ends_with_a_report PROPERTIES
      LABELS smoke RUN_SERIAL TRUE)
endif()
