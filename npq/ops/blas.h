#pragma once
#include <cstdint>

// Which BLAS libtorch multiplies with. Programs that link the objects npq_blas have ours.
namespace npq::ops {

/// How many float32 products went through our sgemm_ so far.
std::int64_t blas_calls();

}  // namespace npq::ops
