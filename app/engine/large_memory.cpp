#include <malloc.h>

#include <climits>

#include "app/engine/engine.h"

namespace npq::app {

void give_large_memory_back() {
#ifdef __GLIBC__
  // Above the [32, 256, 128] of a layer on nodes, below the [32, 256, 256] of a pointer.
  mallopt(M_MMAP_THRESHOLD, 5 << 20);
#endif
}

void keep_large_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc allows
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

}  // namespace npq::app
