#include "npq/kernels/attention/attention_loops.h"

namespace npq::kernels {

const AttentionLoops& attention_loops_avx2() {
  static constexpr AttentionLoops loops = attention_loops_of<8>();
  return loops;
}

}  // namespace npq::kernels
