// The instructions of a pickle that put a number, a text or bytes on the stack.
#include <bit>
#include <charconv>

#include "npq/base/pickle/pickle_machine.h"
#include "npq/base/printable.h"
#include "npq/base/utf8.h"

namespace npq {

bool PickleMachine::step_constant(std::uint8_t code) {
  switch (code) {
    case 0x80:  // PROTO
      if (cursor_.u8() > 5) fail("its protocol is newer than 5; save it again with protocol 5");
      return true;
    case 0x95:  // FRAME: only a hint how much to read ahead, but it must not lie
      if (cursor_.u64() > cursor_.remaining()) fail("a frame is cut off; copy it again");
      return true;
    case 'N':
      push(Kind::None);
      return true;  // NONE
    case 0x88:
      push(Kind::Bool).integer = 1;
      return true;  // NEWTRUE
    case 0x89:
      push(Kind::Bool).integer = 0;
      return true;  // NEWFALSE
    case 'J':
      push_int(cursor_.number<std::int32_t>());
      return true;  // BININT
    case 'K':
      push_int(cursor_.u8());
      return true;  // BININT1
    case 'M':
      push_int(cursor_.u16());
      return true;  // BININT2
    case 0x8a:
      push_long(cursor_.u8());
      return true;  // LONG1
    case 0x8b:
      push_long(cursor_.u32());
      return true;  // LONG4
    case 'I':       // INT
    case 'L':
      push_number_line();
      return true;  // LONG
    case 'F':
      push_float_line();
      return true;  // FLOAT
    case 'G':       // BINFLOAT, big-endian
      push(Kind::Float).real = std::bit_cast<double>(__builtin_bswap64(cursor_.u64()));
      return true;
    case 'X':
      push_text(cursor_.u32());
      return true;  // BINUNICODE
    case 0x8c:
      push_text(cursor_.u8());
      return true;  // SHORT_BINUNICODE
    case 0x8d:
      push_text(cursor_.u64());
      return true;  // BINUNICODE8
    case 'B':
      push_bytes(cursor_.u32());
      return true;  // BINBYTES
    case 'C':
      push_bytes(cursor_.u8());
      return true;  // SHORT_BINBYTES
    case 0x8e:      // BINBYTES8
    case 0x96:
      push_bytes(cursor_.u64());
      return true;  // BYTEARRAY8
    case 'T':
      push_old_text(cursor_.text(cursor_.u32()));
      return true;  // BINSTRING
    case 'U':
      push_old_text(cursor_.text(cursor_.u8()));
      return true;  // SHORT_BINSTRING
    case 'S': {     // STRING: in quotes
      const auto text = line();
      if (text.size() < 2 || text.front() != text.back() ||
          (text.front() != '\'' && text.front() != '"')) {
        fail("a text has no quotes");
      }
      push_old_text(text.substr(1, text.size() - 2));
      if (text.find('\\') != text.npos)
        fail("a text of protocol 0 has escapes; save it again with protocol 2");
      return true;
    }
    case 'V': {  // UNICODE
      const auto text = line();
      if (text.find('\\') != text.npos)
        fail("a text of protocol 0 has escapes; save it again with protocol 2");
      push_old_text(text);
      return true;
    }
    default:
      return false;
  }
}

void PickleMachine::push_int(std::int64_t value) { push(Kind::Int).integer = value; }

void PickleMachine::push_long(std::uint64_t bytes) {
  if (bytes > 8) fail("a number has more than 64 bits");
  const auto digits = cursor_.take(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    value |= std::to_integer<std::uint64_t>(digits[i]) << (8 * i);
  }
  // Two's complement of fewer than 8 bytes: the highest bit given fills the rest.
  const bool negative = !digits.empty() && (std::to_integer<int>(digits.back()) & 0x80) != 0;
  if (negative && bytes < 8) value |= ~std::uint64_t{0} << (8 * bytes);
  push_int(static_cast<std::int64_t>(value));
}

void PickleMachine::push_number_line() {
  auto text = line();
  if (text == "00" || text == "01") {  // how protocol 0 writes truth values
    push(Kind::Bool).integer = text == "01";
    return;
  }
  if (text.ends_with('L')) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(fmt::format("'{}' is not a 64-bit number", printable(text)));
  }
  push_int(value);
}

void PickleMachine::push_float_line() {
  const auto text = line();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(fmt::format("'{}' is not a number", printable(text)));
  }
  push(Kind::Float).real = value;
}

void PickleMachine::push_text(std::uint64_t bytes) {
  const auto text = cursor_.text(bytes);
  if (!is_utf8(text)) fail("a text is not UTF-8");
  push(Kind::Text).text = text;
}

// Python 2 had one type for texts and bytes; what is ASCII is taken for text.
void PickleMachine::push_old_text(std::string_view text) {
  push(is_ascii(text) ? Kind::Text : Kind::Bytes).text = text;
}

void PickleMachine::push_bytes(std::uint64_t bytes) {
  push(Kind::Bytes).text = cursor_.text(bytes);
}

std::string_view PickleMachine::line() {
  const auto text = cursor_.rest();
  const auto end = text.find('\n');
  if (end == text.npos) fail("a line has no end; copy the file again");
  cursor_.take(end + 1);
  return text.substr(0, end);
}

std::uint64_t PickleMachine::memo_line() {
  const auto text = line();
  std::uint64_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(fmt::format("'{}' is not a memo index", printable(text)));
  }
  return index;
}

}  // namespace npq
