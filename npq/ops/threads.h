#pragma once

namespace npq::ops {

/// How many threads kernels and products use: what was set, else libtorch's own number. They divide
/// their work by its sizes alone, so that this number never shows in a result.
int kernel_threads();

/// Sets it for the whole process. Above 0, libtorch's own operations run on one thread from now on:
/// they divide sums by the number of threads, and the bits would tell it. 0 gives all threads of
/// the moment back to libtorch.
void set_kernel_threads(int threads);

}  // namespace npq::ops
