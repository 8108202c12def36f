#include "npq/kernels/attention/attention_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

constinit const AttentionLoops kAttentionWide = attention_loops_of<16>();

}  // namespace npq::kernels
