#include "npq/base/pickle/pickle_numpy.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "npq/base/formats/npy.h"
#include "npq/base/printable.h"
#include "npq/base/utf8.h"

namespace npq {
namespace {

using Kind = PickleValue::Kind;

template <class... Args>
[[noreturn]] void fail(std::string_view what, fmt::format_string<Args...> format, Args&&... args) {
  throw Error("{} is not a numpy array this program reads: {}", what,
              fmt::format(format, std::forward<Args>(args)...));
}

// numpy 2 moved its insides from numpy.core to numpy._core.
bool is_numpy(const PickleValue& value, std::string_view name) {
  return value.kind == Kind::Object && (value.text == fmt::format("numpy.core.{}", name) ||
                                        value.text == fmt::format("numpy._core.{}", name));
}

std::span<const PickleValue* const> tuple_of(const PickleValue* value, std::size_t least,
                                             std::string_view what) {
  if (value == nullptr || value->kind != Kind::Tuple || value->items.size() < least) {
    fail(what, "it lacks its parts");
  }
  return value->items;
}

// Protocol 2 has no bytes: Python writes them as a text and a call that turns it into latin-1.
std::string bytes_of(const PickleValue& value, std::string_view what) {
  if (value.kind == Kind::Bytes) return std::string(value.text);
  if (value.kind == Kind::Text && is_ascii(value.text)) return std::string(value.text);  // Python 2
  if (value.is_object("_codecs.encode")) {
    const auto parts = tuple_of(value.args, 2, what);
    if (parts[1]->as_text("an encoding") != "latin1") fail(what, "its bytes are not in latin1");
    auto bytes = latin1_of_utf8(parts[0]->as_text("the bytes of an array"));
    if (!bytes) fail(what, "its bytes are not in latin1");
    return *std::move(bytes);
  }
  // How protocol 2 writes no bytes at all.
  if (value.kind == Kind::Object && value.text.ends_with(".bytes") && value.args->items.empty())
    return "";
  fail(what, "its data are {}", pickle_kind_name(value.kind));
}

Dtype dtype_of_pickle(const PickleValue& value, std::string_view what) {
  if (!value.is_object("numpy.dtype")) fail(what, "its dtype is {}", pickle_kind_name(value.kind));
  const auto name = tuple_of(value.args, 1, what)[0]->as_text("the name of a dtype");
  std::string_view order = "|";
  if (value.state != nullptr) {
    // (version, byte order, subarray, field names, fields, size, alignment, flags)
    const auto state = tuple_of(value.state, 5, what);
    order = state[1]->as_text("the byte order of a dtype");
    for (std::size_t i = 2; i < 5; ++i) {
      if (state[i]->kind != Kind::None) fail(what, "it is a structured array");
    }
  }
  if (order == "=") order = "<";  // "native", on the machines these files come from
  const auto dtype = dtype_of_numpy(fmt::format("{}{}", order, name));
  if (!dtype) {
    fail(what, "it holds numbers of dtype '{}{}'; expected little-endian whole or real numbers",
         printable(order), printable(name));
  }
  return *dtype;
}

std::vector<std::int64_t> shape_of(const PickleValue& value, std::string_view what) {
  // A single dimension may stand without its tuple.
  if (value.kind == Kind::Int) return {value.integer};
  std::vector<std::int64_t> shape;
  for (const auto* dimension : tuple_of(&value, 0, what)) {
    shape.push_back(dimension->as_int("a dimension"));
  }
  if (shape.size() > 64) fail(what, "it has {} dimensions", shape.size());
  return shape;
}

// Bytes in column order, the first index fastest, put in rows.
std::vector<std::byte> in_rows(const std::vector<std::byte>& columns,
                               const std::vector<std::int64_t>& shape, std::size_t size) {
  std::vector<std::byte> rows(columns.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t to = 0; to < rows.size(); to += size) {
    std::size_t from = 0;
    for (std::size_t d = shape.size(); d-- > 0;) {
      from = from * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(index[d]);
    }
    std::copy_n(columns.begin() + static_cast<std::ptrdiff_t>(from * size), size,
                rows.begin() + static_cast<std::ptrdiff_t>(to));
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
  return rows;
}

ArrayData checked(Dtype dtype, std::vector<std::int64_t> shape, const std::string& bytes,
                  bool by_columns, std::string_view what) {
  if (array_bytes(dtype, shape) != bytes.size()) {
    fail(what, "{} bytes do not fill its shape ({}) of {}", bytes.size(), fmt::join(shape, ", "),
         dtype_name(dtype));
  }
  const auto raw = std::as_bytes(std::span(bytes));
  ArrayData array{dtype, std::move(shape), {raw.begin(), raw.end()}};
  if (by_columns && array.shape.size() > 1)
    array.bytes = in_rows(array.bytes, array.shape, dtype_size(dtype));
  return array;
}

}  // namespace

const std::vector<std::string>& numpy_globals() {
  static const std::vector<std::string> names{"numpy.core.multiarray._reconstruct",
                                              "numpy._core.multiarray._reconstruct",
                                              "numpy.core.multiarray.scalar",
                                              "numpy._core.multiarray.scalar",
                                              "numpy.core.numeric._frombuffer",
                                              "numpy._core.numeric._frombuffer",
                                              "numpy.ndarray",
                                              "numpy.dtype",
                                              "_codecs.encode",
                                              "builtins.bytes",
                                              "__builtin__.bytes"};
  return names;
}

bool is_numpy_array(const PickleValue& value) {
  return is_numpy(value, "multiarray._reconstruct") || is_numpy(value, "numeric._frombuffer") ||
         is_numpy(value, "multiarray.scalar");
}

ArrayData numpy_array(const PickleValue& value, std::string_view what) {
  if (is_numpy(value, "multiarray._reconstruct")) {
    // state: (version, shape, dtype, column order, bytes)
    const auto state = tuple_of(value.state, 5, what);
    const Dtype dtype = dtype_of_pickle(*state[2], what);
    return checked(dtype, shape_of(*state[1], what), bytes_of(*state[4], what),
                   state[3]->as_bool("the order of an array"), what);
  }
  if (is_numpy(value, "numeric._frombuffer")) {
    // called with (bytes, dtype, shape, "C" or "F")
    const auto args = tuple_of(value.args, 4, what);
    const auto order = args[3]->as_text("the order of an array");
    if (order != "C" && order != "F") fail(what, "its order is '{}'", printable(order));
    const Dtype dtype = dtype_of_pickle(*args[1], what);
    return checked(dtype, shape_of(*args[2], what), bytes_of(*args[0], what), order == "F", what);
  }
  if (is_numpy(value, "multiarray.scalar")) {
    const auto args = tuple_of(value.args, 2, what);
    const Dtype dtype = dtype_of_pickle(*args[0], what);
    return checked(dtype, {}, bytes_of(*args[1], what), false, what);
  }
  fail(what, "it is {}",
       value.kind == Kind::Object ? fmt::format("an object '{}'", value.text)
                                  : std::string(pickle_kind_name(value.kind)));
}

}  // namespace npq
