#include "npq/kernels/attention/attention_loops.h"

namespace npq::kernels {

constinit const AttentionLoops kAttentionAvx512 = attention_loops_of<16>();

}  // namespace npq::kernels
