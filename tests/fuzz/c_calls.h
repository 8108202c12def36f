#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "npq/c/npq.h"

// What the targets that call the C interface share: a fuzzer's bytes read as choices, and what the
// interface promises of every call.
namespace npq::fuzz {

/// Bytes as choices; behind their end all are 0, which each list begins with something sound for.
class Draw {
 public:
  Draw(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool more() const { return at_ != end_; }
  std::uint8_t byte() { return more() ? *at_++ : 0; }

  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[byte() % choices.size()];
  }

  std::string bytes(std::size_t most) {
    std::string text;
    for (std::size_t left = byte() % (most + 1); left > 0; --left)
      text += static_cast<char>(byte());
    return text;
  }

  /// Now and then a null pointer.
  template <class T>
  T* or_null(T* pointer) {
    return byte() % 16 == 15 ? nullptr : pointer;
  }

  /// Room for so many Ts and not one more, filled with choices; null where no sane caller has it.
  template <class T>
  T* room(std::initializer_list<std::int64_t> sizes, std::initializer_list<T> choices) {
    std::int64_t count = 1;
    for (const auto size : sizes) {
      if (size < 0 || size > kMostRoom) return nullptr;
      count *= size;
      if (count > kMostRoom) return nullptr;
    }
    auto bytes = std::make_unique<std::byte[]>(count * sizeof(T));
    const auto first = byte();
    for (std::int64_t i = 0; i < count; ++i) {
      // One byte says where to begin; the input need not be as long as the arrays.
      const T value = choices.begin()[(first + i * (1 + first / 16)) % choices.size()];
      std::memcpy(bytes.get() + i * sizeof(T), &value, sizeof(T));
    }
    rooms_.push_back(std::move(bytes));
    return reinterpret_cast<T*>(rooms_.back().get());
  }

 private:
  static constexpr std::int64_t kMostRoom = 4096;

  const std::uint8_t *at_, *end_;
  std::vector<std::unique_ptr<std::byte[]>> rooms_;
};

inline void must(bool promise, const char* which) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s (%s)\n", which, npq_last_error());
  std::abort();
}

/// Every call is either done, or says why not.
inline bool done(npq_status status) {
  must(status == NPQ_OK || status == NPQ_BAD_ARGUMENT || status == NPQ_FAILED, "a known status");
  if (status != NPQ_OK) must(npq_last_error()[0] != '\0', "a sentence for what fails");
  return status == NPQ_OK;
}

}  // namespace npq::fuzz
