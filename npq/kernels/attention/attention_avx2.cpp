#include "npq/kernels/attention/attention_loops.h"

namespace npq::kernels {

constinit const AttentionLoops kAttentionAvx2 = attention_loops_of<8>();

}  // namespace npq::kernels
