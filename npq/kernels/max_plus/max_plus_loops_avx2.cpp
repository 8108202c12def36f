#include "npq/kernels/max_plus/max_plus_loops.h"

namespace npq::kernels {

const MaxPlusLoops& max_plus_loops_avx2() {
  static constexpr MaxPlusLoops loops = max_plus_loops_of<8>();
  return loops;
}

}  // namespace npq::kernels
