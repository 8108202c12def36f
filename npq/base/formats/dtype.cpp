#include "npq/base/formats/dtype.h"

#include <array>
#include <limits>

#include "npq/base/error.h"

namespace npq {
namespace {

struct Row {
  std::string_view name;
  std::size_t size;
};

// In the order of the enumeration.
constexpr std::array<Row, 13> kRows{{{"BOOL", 1},
                                     {"U8", 1},
                                     {"I8", 1},
                                     {"I16", 2},
                                     {"U16", 2},
                                     {"I32", 4},
                                     {"U32", 4},
                                     {"I64", 8},
                                     {"U64", 8},
                                     {"F16", 2},
                                     {"BF16", 2},
                                     {"F32", 4},
                                     {"F64", 8}}};

const Row& row(Dtype dtype) { return kRows.at(static_cast<std::size_t>(dtype)); }

}  // namespace

std::size_t dtype_size(Dtype dtype) { return row(dtype).size; }

std::string_view dtype_name(Dtype dtype) { return row(dtype).name; }

std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> array_bytes(Dtype dtype, std::span<const std::int64_t> shape) {
  // Counts and byte counts stay within int64, so that callers may use either sign.
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t bytes = dtype_size(dtype);
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (dimension == 0) {
      empty = true;
      continue;
    }
    if (bytes > kMost / static_cast<std::uint64_t>(dimension)) return std::nullopt;
    bytes *= static_cast<std::uint64_t>(dimension);
  }
  return empty ? 0 : bytes;
}

}  // namespace npq
