#include "npq/kernels/adam/adam_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

const AdamLoops& adam_loops_wide() {
  static constexpr AdamLoops loops = adam_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
