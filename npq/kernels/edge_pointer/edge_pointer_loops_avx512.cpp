#include "npq/kernels/edge_pointer/edge_pointer_loops.h"

namespace npq::kernels {

const EdgePointerLoops& edge_pointer_loops_avx512() {
  static constexpr EdgePointerLoops loops = edge_pointer_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
