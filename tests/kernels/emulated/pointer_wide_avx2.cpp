#include "npq/kernels/pointer/pointer_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

const PointerLoops& pointer_loops_wide() {
  static constexpr PointerLoops loops = pointer_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
