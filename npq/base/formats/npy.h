#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/formats/dtype.h"

namespace npq {

/// numpy's name of a dtype, "<f4"; nothing for BF16, which numpy does not know.
std::optional<std::string_view> numpy_descr(Dtype dtype);
/// The dtype numpy calls so; big-endian, text, structured and object dtypes are none.
std::optional<Dtype> dtype_of_numpy(std::string_view descr);

/// The bytes before the data of a .npy file, version 1.0; the data start at a multiple of 64.
std::string npy_header(Dtype dtype, std::span<const std::int64_t> shape);

/// What the header of a .npy file, versions 1.0 to 3.0, says. Reading evaluates no Python: the
/// header's dict is parsed as the three keys it must have, in any order. Fortran order, big-endian
/// numbers and pickled objects are refused.
struct NpyHeader {
  Dtype dtype = Dtype::U8;
  std::vector<std::int64_t> shape;
  std::size_t size = 0;  // bytes before the data
};

/// `file` names the source in messages. The array must fill the rest of `bytes` exactly.
NpyHeader read_npy_header(std::span<const std::byte> bytes, const std::string& file);

}  // namespace npq
