#include "npq/kernels/adam/adam_loops.h"

namespace npq::kernels {

constinit const AdamLoops kAdamAvx2 = adam_loops_of<8>();

}  // namespace npq::kernels
