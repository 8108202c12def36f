#include "npq/kernels/pointer/pointer_loops.h"

namespace npq::kernels {

constinit const PointerLoops kPointerAvx512 = pointer_loops_of<16>();

}  // namespace npq::kernels
