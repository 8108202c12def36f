#include "npq/kernels/adam/adam_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

constinit const AdamLoops kAdamWide = adam_loops_of<16>();

}  // namespace npq::kernels
