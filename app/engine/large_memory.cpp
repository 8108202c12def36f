#include <malloc.h>

#include "app/engine/engine.h"

namespace npq::app {

void give_large_memory_back() {
#ifdef __GLIBC__
  // Above the [32, 256, 128] of a layer on nodes, below the [32, 256, 256] of a pointer.
  mallopt(M_MMAP_THRESHOLD, 5 << 20);
#endif
}

}  // namespace npq::app
