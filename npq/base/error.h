#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace npq {

/// What a caller can correct: a bad option, a damaged file, a full disk. The text says what
/// happened, what was expected and what to do. The library returns or throws; only app/ prints and
/// exits.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}

  template <class... Args>
  explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

/// An Error in how a command was called; programs end with exit code 2 instead of 1.
class UsageError : public Error {
 public:
  using Error::Error;
};

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace npq

/// For what only a bug in this library can cause. Always on: it guards exactness, not speed.
#define NPQ_ASSERT(condition) \
  ((condition) ? void(0) : ::npq::assertion_failed(#condition, __FILE__, __LINE__))
