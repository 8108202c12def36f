#include "npq/kernels/queue_pop/queue_pop_loops.h"

namespace npq::kernels {

constinit const QueuePopLoops kQueuePopAvx2 = queue_pop_loops_of<8>();

}  // namespace npq::kernels
