#include "npq/kernels/message/message_loops.h"
#include "tests/kernels/emulated/emulated.h"

namespace npq::kernels {

const MessageLoops& message_loops_wide() {
  static constexpr MessageLoops loops = message_loops_of<VectorProduct<16, 12, 2>, 48, 96>();
  return loops;
}

const MessageLoops& message_loops_tiles() {
  static constexpr MessageLoops loops = message_loops_of<TileProduct<EmulatedTiles>, 64, 128>();
  return loops;
}

}  // namespace npq::kernels
