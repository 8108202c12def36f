#include "npq/base/formats/protobuf.h"

#include <bit>
#include <cstring>

#include "npq/base/error.h"
#include "npq/base/utf8.h"

namespace npq {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

void put_key(std::string& message, std::uint32_t number, WireKind kind) {
  put_varint(message, std::uint64_t{number} << 3 | static_cast<std::uint8_t>(kind));
}

template <class T>
void put_number(std::string& message, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  message.append(bytes, sizeof value);
}

template <class T>
T number_of(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

void put_varint(std::string& message, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) message += static_cast<char>(value | 0x80);
  message += static_cast<char>(value);
}

void put_varint_field(std::string& message, std::uint32_t number, std::uint64_t value) {
  put_key(message, number, WireKind::Varint);
  put_varint(message, value);
}

void put_double_field(std::string& message, std::uint32_t number, double value) {
  put_key(message, number, WireKind::Fixed64);
  put_number(message, value);
}

void put_float_field(std::string& message, std::uint32_t number, float value) {
  put_key(message, number, WireKind::Fixed32);
  put_number(message, value);
}

void put_bytes_field(std::string& message, std::uint32_t number, std::string_view bytes) {
  put_key(message, number, WireKind::Bytes);
  put_varint(message, bytes.size());
  message += bytes;
}

bool MessageReader::next() {
  if (rest_.empty()) return false;
  const std::uint64_t key = take_varint();
  const std::uint64_t number = key >> 3;
  if (number == 0 || number >= 1u << 29) fail("a field with a number that none can have");
  number_ = static_cast<std::uint32_t>(number);
  switch (key & 7) {
    case 0:
      kind_ = WireKind::Varint;
      varint_ = take_varint();
      return true;
    case 1:
      kind_ = WireKind::Fixed64;
      bytes_ = take(8);
      return true;
    case 2:
      kind_ = WireKind::Bytes;
      bytes_ = take(take_varint());
      return true;
    case 5:
      kind_ = WireKind::Fixed32;
      bytes_ = take(4);
      return true;
    default:  // groups, which event files never had, and what does not exist
      fail("a field of a kind that is not in use");
  }
}

std::uint64_t MessageReader::varint() const {
  expect(WireKind::Varint);
  return varint_;
}

double MessageReader::as_double() const {
  expect(WireKind::Fixed64);
  return number_of<double>(bytes_);
}

float MessageReader::as_float() const {
  expect(WireKind::Fixed32);
  return number_of<float>(bytes_);
}

std::string_view MessageReader::bytes() const {
  expect(WireKind::Bytes);
  return bytes_;
}

std::string_view MessageReader::text() const {
  const auto text = bytes();
  if (!is_utf8(text)) fail("a text that is not UTF-8");
  return text;
}

std::uint64_t MessageReader::take_varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(take(1).front());
    if (shift == 63 && byte > 1) break;  // a 65th bit
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  fail("a number of more than 64 bits");
}

std::string_view MessageReader::take(std::uint64_t count) {
  if (count > rest_.size()) fail("a field that ends beyond its message");
  const auto piece = rest_.substr(0, static_cast<std::size_t>(count));
  rest_.remove_prefix(piece.size());
  return piece;
}

void MessageReader::expect(WireKind kind) const {
  if (kind_ != kind) fail("a known field of another kind than it should have");
}

void MessageReader::fail(std::string_view what) const {
  throw Error("{} has {}; the file is damaged or of another kind, remove it or copy it again",
              context_, what);
}

}  // namespace npq
