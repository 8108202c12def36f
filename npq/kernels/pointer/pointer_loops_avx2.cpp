#include "npq/kernels/pointer/pointer_loops.h"

namespace npq::kernels {

const PointerLoops& pointer_loops_avx2() {
  static constexpr PointerLoops loops = pointer_loops_of<8>();
  return loops;
}

}  // namespace npq::kernels
