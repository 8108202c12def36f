#include "npq/kernels/pointer/pointer_loops.h"

namespace npq::kernels {

const PointerLoops& pointer_loops_avx512() {
  static constexpr PointerLoops loops = pointer_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
