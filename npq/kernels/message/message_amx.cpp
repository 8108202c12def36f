#include "npq/kernels/message/message_loops.h"

namespace npq::kernels {

// Needs the system's permission to use tiles: base/simd.h asks for it.
constinit const MessageLoops kMessageAmx = message_loops_of<TileProduct<HardwareTiles>, 64, 128>();

}  // namespace npq::kernels
