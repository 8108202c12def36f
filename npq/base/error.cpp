#include "npq/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace npq {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "npq: internal error at %s:%d: '%s' does not hold; please report it\n", file,
               line, condition);
  std::abort();
}

}  // namespace npq
