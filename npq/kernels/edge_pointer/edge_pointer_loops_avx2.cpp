#include "npq/kernels/edge_pointer/edge_pointer_loops.h"

namespace npq::kernels {

const EdgePointerLoops& edge_pointer_loops_avx2() {
  static constexpr EdgePointerLoops loops = edge_pointer_loops_of<8>();
  return loops;
}

}  // namespace npq::kernels
