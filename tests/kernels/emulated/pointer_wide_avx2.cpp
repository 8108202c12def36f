#include "npq/kernels/pointer/pointer_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

constinit const PointerLoops kPointerWide = pointer_loops_of<16>();

}  // namespace npq::kernels
