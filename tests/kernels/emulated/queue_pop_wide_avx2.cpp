#include "npq/kernels/queue_pop/queue_pop_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

constinit const QueuePopLoops kQueuePopWide = queue_pop_loops_of<16>();

}  // namespace npq::kernels
