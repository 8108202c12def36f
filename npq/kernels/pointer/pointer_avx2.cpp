#include "npq/kernels/pointer/pointer_loops.h"

namespace npq::kernels {

constinit const PointerLoops kPointerAvx2 = pointer_loops_of<8>();

}  // namespace npq::kernels
