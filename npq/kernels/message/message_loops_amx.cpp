#include "npq/kernels/message/message_loops.h"

namespace npq::kernels {

// Needs the system's permission to use tiles: base/simd.h asks for it.
const MessageLoops& message_loops_amx() {
  static constexpr MessageLoops loops = message_loops_of<TileProduct<HardwareTiles>, 64, 128>();
  return loops;
}

}  // namespace npq::kernels
