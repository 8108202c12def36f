#include "npq/kernels/message/message_loops.h"

namespace npq::kernels {

// 24 sums, 2 numbers of the matrix and 1 of the rows: 27 of 32 registers.
constinit const MessageLoops kMessageAvx512 = message_loops_of<VectorProduct<16, 12, 2>, 48, 96>();

}  // namespace npq::kernels
