// One choice of loops for all kernels.
#include "npq/kernels/levels.h"

#include <gtest/gtest.h>

namespace npq::kernels {
namespace {

TEST(ChooseLoops, TakesTheTableOfTheActiveLevelAndNoneAtTheReference) {
  const int avx2 = 2, avx512 = 5, amx = 9;
  for (const auto level : available_simd_levels()) {
    const ScopedSimdLevel scoped(level);
    const auto expected = [&](const int& with_tiles) -> const int* {
      switch (level) {
        case SimdLevel::Reference:
          return nullptr;
        case SimdLevel::Avx2:
          return &avx2;
        case SimdLevel::Avx512:
          return &avx512;
        case SimdLevel::Amx:
          return &with_tiles;
      }
      return nullptr;
    };
    EXPECT_EQ(choose_loops(avx2, avx512, &amx), expected(amx)) << simd_level_name(level);
    EXPECT_EQ(choose_loops(avx2, avx512), expected(avx512)) << simd_level_name(level);
  }
}

}  // namespace
}  // namespace npq::kernels
