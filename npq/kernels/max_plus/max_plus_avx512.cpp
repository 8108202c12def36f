#include "npq/kernels/max_plus/max_plus_loops.h"

namespace npq::kernels {

constinit const MaxPlusLoops kMaxPlusAvx512 = max_plus_loops_of<16>();

}  // namespace npq::kernels
