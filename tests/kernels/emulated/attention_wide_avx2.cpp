#include "npq/kernels/attention/attention_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

const AttentionLoops& attention_loops_wide() {
  static constexpr AttentionLoops loops = attention_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
