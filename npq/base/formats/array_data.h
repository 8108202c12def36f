#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/formats/dtype.h"

namespace npq {

/// Numbers with a shape, row by row (C order), as files hold them.
struct ArrayData {
  Dtype dtype = Dtype::U8;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  /// A copy of the numbers; the dtype must be T's own (see dtype_holds).
  template <class T>
  std::vector<T> values() const {
    if (!dtype_holds<T>(dtype)) {
      throw Error("an array has dtype {}; expected {}", dtype_name(dtype),
                  dtype_name(dtype_of<T>()));
    }
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
};

}  // namespace npq
