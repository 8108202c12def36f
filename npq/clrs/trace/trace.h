#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "npq/clrs/spec/spec.h"
#include "npq/clrs/trace/arena.h"
#include "npq/clrs/trace/arrays.h"
#include "npq/clrs/trace/sample.h"

namespace npq::clrs {

/// A view of a value that an algorithm shows: it lives until the end of the call that takes it.
class Value {
 public:
  Value(const Scalars& v) : Value(Kind::Scalars, v.data(), v.size(), sizeof v[0]) {}
  Value(const Mask& v) : Value(Kind::Mask, v.data(), v.size(), sizeof v[0]) {}
  Value(const Pointers& v) : Value(Kind::Pointers, v.data(), v.size(), sizeof v[0]) {}
  Value(const Classes& v) : Value(Kind::Classes, v.data(), v.size(), sizeof v[0]) {}
  template <class T>
  Value(const Matrix<T>& v) : Value(v.values()) {}
  Value(OneHot v)
      : small_{.index = static_cast<std::uint16_t>(v.node)}, kind_(Kind::OneHot), bytes_(2) {}
  Value(Class v)
      : small_{.byte = static_cast<std::uint8_t>(v.number)}, kind_(Kind::Classes), bytes_(1) {}
  Value(double scalar) : small_{.scalar = scalar}, kind_(Kind::Scalars), bytes_(8) {}
  Value(int flag) : small_{.byte = static_cast<std::uint8_t>(flag)}, kind_(Kind::Mask), bytes_(1) {}
  Value(bool flag) : Value(static_cast<int>(flag)) {}

  enum class Kind : std::uint8_t { Scalars, Mask, Pointers, Classes, OneHot };
  Kind kind() const { return kind_; }
  std::size_t bytes() const { return bytes_; }
  const void* data() const { return array_ ? array_ : &small_; }

 private:
  Value(Kind kind, const void* data, std::size_t count, std::size_t width)
      : array_(data), kind_(kind), bytes_(count * width) {}

  const void* array_ = nullptr;  // null: the value itself is in small_
  union {
    double scalar;
    std::uint16_t index;
    std::uint8_t byte;
  } small_{};
  Kind kind_;
  std::size_t bytes_;
};

struct NamedValue {
  std::string_view name;
  Value value;
};
using NamedValues = std::initializer_list<NamedValue>;

/// The recorder that algorithms push their probes into. Inputs come first (they fix the number of
/// nodes), then any number of hint records, then the outputs; each call names all probes of its
/// stage, in the order of the spec. One Trace serves many runs: its buffers stay warm, and finish()
/// takes an exact copy out.
class Trace {
 public:
  explicit Trace(const Spec& spec);

  void input(NamedValues values);
  void hint(NamedValues values);
  void output(NamedValues values);

  /// Whether the spec asks for this probe (newer versions of the benchmark show more).
  bool shows(std::string_view name) const;
  int length() const { return length_; }

  /// The recorded run in compact form; the trace is then ready for the next.
  Sample finish();

 private:
  void record(Stage stage, NamedValues values);

  const Spec* spec_;
  std::vector<std::vector<std::byte>> frames_;  // per probe of the spec
  Arena arena_;
  int nodes_ = 0;
  int length_ = 0;
};

}  // namespace npq::clrs
