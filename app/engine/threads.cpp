#include <ATen/Parallel.h>

#include "app/engine/engine.h"
#include "npq/base/error.h"
#include "npq/base/parallel.h"

namespace npq::app {

int use_threads(int threads) {
  if (threads < 0) throw UsageError("--threads is {}; expected 0 (all) or more", threads);
  const int used = threads == 0 ? available_threads() : threads;
  at::set_num_threads(used);  // the default is not all cores
  return used;
}

}  // namespace npq::app
