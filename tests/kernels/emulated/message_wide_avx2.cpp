#include "npq/kernels/message/message_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

constinit const MessageLoops kMessageWide = message_loops_of<VectorProduct<16, 8, 2>, 48, 96>();

constinit const MessageLoops kMessageTiles =
    message_loops_of<TileProduct<EmulatedTiles>, 64, 128>();

}  // namespace npq::kernels
