#include "npq/kernels/queue_pop/queue_pop_loops.h"

namespace npq::kernels {

const QueuePopLoops& queue_pop_loops_avx512() {
  static constexpr QueuePopLoops loops = queue_pop_loops_of<16>();
  return loops;
}

}  // namespace npq::kernels
