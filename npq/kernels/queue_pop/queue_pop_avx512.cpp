#include "npq/kernels/queue_pop/queue_pop_loops.h"

namespace npq::kernels {

constinit const QueuePopLoops kQueuePopAvx512 = queue_pop_loops_of<16>();

}  // namespace npq::kernels
