#include "npq/kernels/adam/adam_loops.h"

namespace npq::kernels {

const AdamLoops& adam_loops_avx512() {
  static constexpr AdamLoops loops = adam_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
