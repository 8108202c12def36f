// On OpenMP's threads. The library for C and Python has threads of its own (npq/c/pool.cpp).
#include <algorithm>

#include "npq/kernels/jobs.h"

namespace npq::kernels {

void run_jobs(int threads, int count, const std::function<void(int)>& body) {
  const int used = std::max(1, std::min(threads, count));
  if (used == 1) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(used)
#endif
  for (int i = 0; i < count; ++i) body(i);
}

}  // namespace npq::kernels
