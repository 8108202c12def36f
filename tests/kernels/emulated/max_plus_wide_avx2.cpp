#include "npq/kernels/max_plus/max_plus_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

constinit const MaxPlusLoops kMaxPlusWide = max_plus_loops_of<16>();

}  // namespace npq::kernels
