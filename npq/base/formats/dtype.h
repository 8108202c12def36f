#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace npq {

/// The number types of a safetensors file.
enum class Dtype { Bool, U8, I8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

/// Bytes of one number.
std::size_t dtype_size(Dtype dtype);
/// "F32", as the format writes it.
std::string_view dtype_name(Dtype dtype);
std::optional<Dtype> dtype_named(std::string_view name);

/// Bytes of an array of that shape; nothing if a dimension is negative or the product does not
/// fit. An overflow counts even if another dimension is zero, so that they may be multiplied in
/// any order.
std::optional<std::uint64_t> array_bytes(Dtype dtype, std::span<const std::int64_t> shape);

/// The Dtype of a C++ number type. BOOL, F16 and BF16 have none: read them as std::uint8_t and
/// std::uint16_t.
template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, float>) {
    return Dtype::F32;
  } else if constexpr (std::is_same_v<T, double>) {
    return Dtype::F64;
  } else {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "no such number in a file");
    constexpr bool s = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return s ? Dtype::I8 : Dtype::U8;
    if constexpr (sizeof(T) == 2) return s ? Dtype::I16 : Dtype::U16;
    if constexpr (sizeof(T) == 4) return s ? Dtype::I32 : Dtype::U32;
    if constexpr (sizeof(T) == 8) return s ? Dtype::I64 : Dtype::U64;
  }
}

/// Whether bytes of this dtype may be read as T: the same type, or for those without a C++ type the
/// integer of their bits.
template <class T>
constexpr bool dtype_holds(Dtype dtype) {
  if (dtype == Dtype::Bool) return std::is_same_v<T, std::uint8_t>;
  if (dtype == Dtype::F16 || dtype == Dtype::BF16) return std::is_same_v<T, std::uint16_t>;
  return dtype == dtype_of<T>();
}

}  // namespace npq
