#include "npq/kernels/message/message_loops.h"

namespace npq::kernels {

// 16 sums are enough to keep both units busy. 8 rows divide the messages of most graphs; with 12,
// which would fit as well, 256 messages take 264 rows.
constinit const MessageLoops kMessageAvx512 = message_loops_of<VectorProduct<16, 8, 2>, 48, 96>();

}  // namespace npq::kernels
