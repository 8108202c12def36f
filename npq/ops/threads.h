#pragma once
#include <cstddef>
#include <functional>

namespace npq::ops {

/// How many threads kernels and products use: what was set, else libtorch's own number. They divide
/// their work by its sizes alone, so that this number never shows in a result.
int kernel_threads();

/// Sets it for the whole process. Above 0, libtorch's own operations run on one thread from now on:
/// they divide sums by the number of threads, and the bits would tell it. 0 gives all threads of
/// the moment back to libtorch.
void set_kernel_threads(int threads);

/// Numbers too small for a normal float (below 1e-38) count as 0 from now on, on this thread and on
/// those that it starts afterwards: call it first thing in a program. Gradients of a network that
/// has learned its task are full of them, and on many machines a product of such numbers takes ten
/// times as long.
void flush_tiny_numbers();

/// Calls body(i) for i = 0..count-1 at the same time, as far as the threads go: each takes the next
/// one when it is done with its last. More threads than calls are divided among the calls.
/// Gradients may be computed in it: each call has its own graph.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace npq::ops
