#include <algorithm>

#include "app/engine/engine.h"
#include "npq/base/error.h"
#include "npq/base/parallel.h"
#include "npq/ops/threads.h"

namespace npq::app {

int use_threads(int threads, int processes) {
  if (threads < 0) throw UsageError("--threads is {}; expected 0 (all) or more", threads);
  const int used = threads == 0 ? std::max(1, available_threads() / processes) : threads;
  ops::set_kernel_threads(used);
  return used;
}

}  // namespace npq::app
