# TensorBoard's own reader on our event files. Its package is not in Debian; all builds share one Python environment.
set(python_env ${PROJECT_SOURCE_DIR}/build/python)
add_test(NAME python_environment COMMAND ${PROJECT_SOURCE_DIR}/tools/python_env.sh ${python_env})
set_tests_properties(python_environment PROPERTIES LABELS fast FIXTURES_SETUP python_environment)

add_executable(event_file_program ${CMAKE_CURRENT_SOURCE_DIR}/base/event_file_program.cpp)
target_link_libraries(event_file_program PRIVATE npq_base)
add_dependencies(tests_fast event_file_program)
add_test(NAME tensorboard_reads_our_event_files
         COMMAND ${python_env}/bin/python ${CMAKE_CURRENT_SOURCE_DIR}/base/read_events.py
                 $<TARGET_FILE:event_file_program>)
set_tests_properties(tensorboard_reads_our_event_files PROPERTIES
    LABELS fast FIXTURES_REQUIRED python_environment ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;PYTHONUTF8=1")
