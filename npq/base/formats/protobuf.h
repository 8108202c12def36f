#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace npq {

/// Protocol Buffers' wire format, as much of it as event files need: a message is a row of fields,
/// each a key (number * 8 + kind) and a value.
enum class WireKind : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

void put_varint(std::string& message, std::uint64_t value);
void put_varint_field(std::string& message, std::uint32_t number, std::uint64_t value);
void put_double_field(std::string& message, std::uint32_t number, double value);
void put_float_field(std::string& message, std::uint32_t number, float value);
void put_bytes_field(std::string& message, std::uint32_t number, std::string_view bytes);

/// Reads the fields of an untrusted message. A violation of the format is an Error.
class MessageReader {
 public:
  /// `message` and `context` must outlive the reader; the latter names the place in messages of
  /// errors: "the record at byte 24 of 'x'".
  MessageReader(std::string_view message, const std::string& context)
      : rest_(message), context_(context) {}

  /// Goes to the next field; false at the end.
  bool next();
  std::uint32_t number() const { return number_; }

  /// The value of the field, which must be of that kind.
  std::uint64_t varint() const;
  double as_double() const;
  float as_float() const;
  std::string_view bytes() const;
  /// Bytes that must be UTF-8.
  std::string_view text() const;

 private:
  std::uint64_t take_varint();
  std::string_view take(std::uint64_t count);
  void expect(WireKind kind) const;
  [[noreturn]] void fail(std::string_view what) const;

  std::string_view rest_;
  const std::string& context_;
  std::uint32_t number_ = 0;
  WireKind kind_ = WireKind::Varint;
  std::uint64_t varint_ = 0;
  std::string_view bytes_;
};

}  // namespace npq
