#pragma once
#include "npq/base/simd.h"

namespace npq::kernels {

/// The loops of the active level; null: the plain reference. Kernels that tiles would not help have
/// none for AMX and use those of AVX-512 there.
template <class Loops>
const Loops* choose_loops(const Loops& avx2, const Loops& avx512, const Loops* amx = nullptr) {
  switch (active_simd_level()) {
    case SimdLevel::Amx:
      return amx ? amx : &avx512;
    case SimdLevel::Avx512:
      return &avx512;
    case SimdLevel::Avx2:
      return &avx2;
    case SimdLevel::Reference:
      break;
  }
  return nullptr;
}

}  // namespace npq::kernels
