# cmake -DBUILD=... -DCONSUMER=... -DWORK=... -DGENERATOR=... -DCXX=... [-DEXAMPLE=...] -P consumer_test.cmake
# Installs the build into an empty prefix, builds the consumer (or the example alone) against it and runs it.
file(REMOVE_RECURSE ${WORK})
function(must_work)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "'${ARGN}' ended with ${status}:\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

must_work(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# CMAKE_FIND_USE_PACKAGE_REGISTRY and the like could find another npq: only the prefix may answer.
must_work(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
          -DCMAKE_BUILD_TYPE=Release -Dnpq_ROOT=${WORK}/prefix -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DEXAMPLE=${EXAMPLE})
if(EXAMPLE)
  must_work(${CMAKE_COMMAND} --build ${WORK}/build --target example)
  must_work(${WORK}/build/example)  # fails unless the network has learned
  message(STATUS "${said}")
  return()
endif()
must_work(${CMAKE_COMMAND} --build ${WORK}/build)
must_work(${WORK}/build/trace_length)

# Sample train/0 of tests/golden/clrs/dijkstra.safetensors has 17 steps: every one of its 16 nodes is reached.
if(NOT said STREQUAL "T = 17\n")
  message(FATAL_ERROR "the consumer printed '${said}', but the trace of that graph has T = 17")
endif()
