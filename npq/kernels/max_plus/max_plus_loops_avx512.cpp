#include "npq/kernels/max_plus/max_plus_loops.h"

namespace npq::kernels {

const MaxPlusLoops& max_plus_loops_avx512() {
  static constexpr MaxPlusLoops loops = max_plus_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
