# The example in C, also where the library is sanitized.
enable_language(C)
add_executable(clrs_from_c ${PROJECT_SOURCE_DIR}/examples/clrs_from_c.c)
set_target_properties(clrs_from_c PROPERTIES C_STANDARD 99 UNITY_BUILD OFF)
target_include_directories(clrs_from_c PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(clrs_from_c PRIVATE npq_c)
add_dependencies(tests_fast clrs_from_c)
add_test(NAME the_example_in_c_runs COMMAND clrs_from_c)
set_tests_properties(the_example_in_c_runs PROPERTIES LABELS fast)
