# The Python package over the library of this build, in two Pythons: the environment of tools/python_env.sh (newest numpy,
# JAX, no torch), and Debian's with its python3-torch. A sanitized library cannot be loaded into a Python that is not, so there
# the example in C stands for it.
if(NOT NPQ_FUZZ)  # there the library is for the fuzz targets alone
  enable_language(C)
  add_executable(clrs_from_c ${PROJECT_SOURCE_DIR}/examples/clrs_from_c.c)
  set_target_properties(clrs_from_c PROPERTIES C_STANDARD 99 UNITY_BUILD OFF)
  target_include_directories(clrs_from_c PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(clrs_from_c PRIVATE npq_c)
  add_dependencies(tests_fast clrs_from_c)
  add_test(NAME the_example_in_c_runs COMMAND clrs_from_c)
  set_tests_properties(the_example_in_c_runs PROPERTIES LABELS fast)
endif()

if(NOT NPQ_SANITIZE AND NOT NPQ_FUZZ)
  set(python_tests ${CMAKE_CURRENT_SOURCE_DIR}/python)
  set(pytest -m pytest -c ${python_tests}/pytest.ini ${python_tests})
  set(python_settings "NPQ_LIBRARY=$<TARGET_FILE:npq_c>;PYTHONPATH=${PROJECT_SOURCE_DIR}/python;PYTHONDONTWRITEBYTECODE=1"
                      "PYTHONUTF8=1;OMP_NUM_THREADS=1")
  add_test(NAME python_without_torch COMMAND ${python_env}/bin/python ${pytest} -m "not torch and not dm_clrs")
  add_test(NAME the_benchmarks_own_package_takes_our_batches COMMAND ${python_env}/bin/python ${pytest} -m dm_clrs)
  set(python_programs python_without_torch python_with_debians_torch the_benchmarks_own_package_takes_our_batches)
  add_test(NAME python_with_debians_torch COMMAND /usr/bin/python3 ${pytest} -m torch)
  if(NPQ_TORCH)  # what the Python memories are held against
    add_executable(memory_cases ${python_tests}/memory_cases.cpp)
    target_link_libraries(memory_cases PRIVATE npq_memory npq_test_support)
    target_compile_definitions(memory_cases PRIVATE AT_PER_OPERATOR_HEADERS)
    add_dependencies(tests_fast memory_cases)
    list(APPEND python_settings "NPQ_MEMORY_CASES=$<TARGET_FILE:memory_cases>" "NPQ_PROGRAM=$<TARGET_FILE:npq>")
  endif()
  add_test(NAME python_types COMMAND ${python_env}/bin/python -m mypy --config-file ${PROJECT_SOURCE_DIR}/pyproject.toml
           --cache-dir ${CMAKE_CURRENT_BINARY_DIR}/mypy ${PROJECT_SOURCE_DIR}/python/npq)
  set_tests_properties(${python_programs} python_types PROPERTIES
      LABELS fast FIXTURES_REQUIRED python_environment ENVIRONMENT "${python_settings}")
  add_dependencies(tests_fast npq_c)
  if(NPQ_SKIP_IS_FAILURE)
    set_tests_properties(${python_programs} PROPERTIES
        FAIL_REGULAR_EXPRESSION "[0-9]+ skipped")
  endif()
endif()
