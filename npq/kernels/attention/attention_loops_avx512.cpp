#include "npq/kernels/attention/attention_loops.h"

namespace npq::kernels {

const AttentionLoops& attention_loops_avx512() {
  static constexpr AttentionLoops loops = attention_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
