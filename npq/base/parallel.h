#pragma once
#include <cstddef>
#include <functional>

namespace npq {

/// How many threads this process may use: the cores its CPU mask allows.
int available_threads();

/// Calls `body(i)` for i = 0..count-1 on up to `threads` threads (0 = all available), each i once,
/// in no fixed order. The first exception ends the loop early and is rethrown here. `body` must not
/// depend on the order: that is how the number of threads never changes a result.
void parallel_for(int threads, std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace npq
