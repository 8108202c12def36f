#include "npq/base/formats/npy.h"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <set>

#include "npq/base/formats/byte_cursor.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

constexpr std::array<std::pair<Dtype, std::string_view>, 12> kDescrs{{{Dtype::Bool, "|b1"},
                                                                      {Dtype::U8, "|u1"},
                                                                      {Dtype::I8, "|i1"},
                                                                      {Dtype::I16, "<i2"},
                                                                      {Dtype::U16, "<u2"},
                                                                      {Dtype::I32, "<i4"},
                                                                      {Dtype::U32, "<u4"},
                                                                      {Dtype::I64, "<i8"},
                                                                      {Dtype::U64, "<u8"},
                                                                      {Dtype::F16, "<f2"},
                                                                      {Dtype::F32, "<f4"},
                                                                      {Dtype::F64, "<f8"}}};

// The header's dict, as numpy writes it: quoted keys, a quoted descr, True or False, a tuple of
// whole numbers.
class DictParser {
 public:
  DictParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyHeader parse() {
    NpyHeader header;
    std::set<std::string_view> seen;
    expect('{');
    while (!accept('}')) {
      const auto key = quoted();
      if (!seen.insert(key).second) fail(fmt::format("'{}' comes twice", printable(key)));
      expect(':');
      if (key == "descr") {
        header.dtype = dtype();
      } else if (key == "fortran_order") {
        row_major();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        fail(fmt::format("the key '{}' is unknown", printable(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (!text_.empty()) fail("text follows it");
    if (seen.size() != 3) fail("it needs descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error("'{}' has no sound .npy header: {}; save it again with numpy", file_, reason);
  }

  void blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }

  bool accept(char c) {
    blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}' before '{}'", c, printable(text_, 10)));
  }

  std::string_view quoted() {
    blanks();
    const char quote = text_.empty() ? '\0' : text_.front();
    const auto end = text_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) {
      fail(fmt::format("expected a quoted text before '{}'", printable(text_, 10)));
    }
    const auto content = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return content;
  }

  Dtype dtype() {
    blanks();
    if (text_.starts_with('[')) fail("structured arrays are not read here");
    const auto descr = quoted();
    if (descr.find('O') != std::string_view::npos) {
      fail("it holds pickled Python objects, which are never loaded");
    }
    if (descr.starts_with('>')) fail("its numbers are big-endian, expected little-endian");
    const auto found = dtype_of_numpy(descr);
    if (!found) fail(fmt::format("the dtype '{}' is not read here", printable(descr)));
    return *found;
  }

  void row_major() {
    blanks();
    if (text_.starts_with("True")) {
      fail("it is stored column by column; numpy.ascontiguousarray before saving puts it in rows");
    }
    if (!text_.starts_with("False")) fail("fortran_order is neither True nor False");
    text_.remove_prefix(5);
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!accept(')')) {
      blanks();
      std::int64_t dimension = 0;
      const auto [end, error] =
          std::from_chars(text_.data(), text_.data() + text_.size(), dimension);
      if (error != std::errc() || dimension < 0) {
        fail(fmt::format("'{}' begins no dimension", printable(text_, 10)));
      }
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(dimension);
      if (!accept(',')) {
        // "(3)" is a number to Python, not a shape.
        if (shape.size() == 1) fail("its shape is not a tuple");
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view text_;
  const std::string& file_;
};

}  // namespace

std::optional<std::string_view> numpy_descr(Dtype dtype) {
  for (const auto& [known, descr] : kDescrs) {
    if (known == dtype) return descr;
  }
  return std::nullopt;
}

std::optional<Dtype> dtype_of_numpy(std::string_view descr) {
  for (const auto& [dtype, known] : kDescrs) {
    // One byte has no order: numpy writes '|', other programs '<' or nothing.
    if (known == descr || (known[0] == '|' && known.substr(1) == descr) ||
        (known[0] == '|' && descr.starts_with('<') && known.substr(1) == descr.substr(1))) {
      return dtype;
    }
  }
  return std::nullopt;
}

std::string npy_header(Dtype dtype, std::span<const std::int64_t> shape) {
  const auto descr = numpy_descr(dtype);
  if (!descr) throw Error("numpy has no dtype for {}; convert it to F32", dtype_name(dtype));
  const std::string tuple = shape.size() == 1 ? fmt::format("({},)", shape[0])
                                              : fmt::format("({})", fmt::join(shape, ", "));
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", *descr, tuple);
  constexpr std::size_t kBefore = kMagic.size() + 2 + 2;
  dict.resize((kBefore + dict.size() + 1 + 63) / 64 * 64 - kBefore - 1, ' ');
  dict += '\n';
  if (dict.size() > 0xffff)
    throw Error("an array of {} dimensions is too much for .npy", shape.size());
  const auto length = static_cast<std::uint16_t>(dict.size());
  return fmt::format("{}\x01{}{}{}{}", kMagic, '\0', static_cast<char>(length & 0xff),
                     static_cast<char>(length >> 8), dict);
}

NpyHeader read_npy_header(std::span<const std::byte> bytes, const std::string& file) {
  ByteCursor cursor(bytes, file);
  if (cursor.text(kMagic.size()) != kMagic) {
    throw Error("'{}' is not a .npy array: it does not begin with numpy's mark", file);
  }
  const int major = cursor.u8();
  const int minor = cursor.u8();
  if (major < 1 || major > 3 || minor != 0) {
    throw Error("'{}' is of .npy version {}.{}; 1.0, 2.0 and 3.0 are read here", file, major,
                minor);
  }
  const std::uint64_t length = major == 1 ? cursor.u16() : cursor.u32();
  NpyHeader header = DictParser(cursor.text(length), file).parse();
  header.size = cursor.position();
  const auto needed = array_bytes(header.dtype, header.shape);
  if (needed != cursor.remaining()) {
    throw Error("'{}' has shape ({}) of {}, but {} bytes of data; copy or save it again", file,
                fmt::join(header.shape, ", "), dtype_name(header.dtype), cursor.remaining());
  }
  return header;
}

}  // namespace npq
