# The loops for machines that this one is not: the wide ones with registers in pairs, tiles in plain loops.
file(GLOB emulated CONFIGURE_DEPENDS kernels/emulated/*.cpp kernels/*_cases.cpp)
add_library(npq_kernels_emulated STATIC ${emulated})
target_link_libraries(npq_kernels_emulated PUBLIC npq_kernels npq_test_support)
target_compile_options(npq_kernels_emulated PRIVATE -O1)  # loops, not tests
include(npq_simd)
npq_simd_flags(${emulated})
