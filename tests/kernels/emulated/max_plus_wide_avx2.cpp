#include "npq/kernels/max_plus/max_plus_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

const MaxPlusLoops& max_plus_loops_wide() {
  static constexpr MaxPlusLoops loops = max_plus_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
