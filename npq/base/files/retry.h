#pragma once
#include <cerrno>

namespace npq {

/// The result of a system call, repeated if a signal interrupted it before it did anything.
template <class Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace npq
