#include "npq/kernels/max_plus/max_plus_loops.h"

namespace npq::kernels {

constinit const MaxPlusLoops kMaxPlusAvx2 = max_plus_loops_of<8>();

}  // namespace npq::kernels
