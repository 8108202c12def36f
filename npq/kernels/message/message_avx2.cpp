#include "npq/kernels/message/message_loops.h"

namespace npq::kernels {

// 12 sums, 2 numbers of the matrix and 1 of the rows: 15 of 16 registers.
constinit const MessageLoops kMessageAvx2 = message_loops_of<VectorProduct<8, 6, 2>, 48, 96>();

}  // namespace npq::kernels
