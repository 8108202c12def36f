#include "npq/ops/threads.h"
#include "app/engine/engine.h"
#include "npq/base/error.h"
#include "npq/base/parallel.h"

namespace npq::app {

int use_threads(int threads) {
  if (threads < 0) throw UsageError("--threads is {}; expected 0 (all) or more", threads);
  const int used = threads == 0 ? available_threads() : threads;
  ops::set_kernel_threads(used);
  return used;
}

}  // namespace npq::app
