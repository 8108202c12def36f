# How every target of the project is compiled. What a consumer needs travels with the targets, not from here.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)  # ./run starts bin/npq
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Headers take most of the time of a file: eight files at a time read them once. Off for clang-tidy, which looks at each.
option(NPQ_UNITY "compile several files at a time" ON)
set(CMAKE_UNITY_BUILD ${NPQ_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

# One rounding per operation, as written: the data of the benchmark are compared bit for bit.
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers -ffp-contract=off)

find_program(NPQ_CCACHE ccache)
if(NPQ_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${NPQ_CCACHE})
endif()
find_program(NPQ_MOLD mold)
if(NPQ_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(NPQ_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(NPQ_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NPQ_SANITIZE)
  message(FATAL_ERROR "NPQ_SANITIZE is '${NPQ_SANITIZE}'; expected empty, address or thread")
endif()
