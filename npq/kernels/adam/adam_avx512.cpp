#include "npq/kernels/adam/adam_loops.h"

namespace npq::kernels {

constinit const AdamLoops kAdamAvx512 = adam_loops_of<16>();

}  // namespace npq::kernels
