#include "npq/base/simd.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"

namespace npq {
namespace {

using test::error_text;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Simd, EveryNameIsReadBack) {
  for (const auto level :
       {SimdLevel::Reference, SimdLevel::Avx2, SimdLevel::Avx512, SimdLevel::Amx})
    EXPECT_EQ(parse_simd_level(simd_level_name(level)), level);
}

TEST(Simd, AnUnknownNameIsAUsageErrorThatListsTheKnownOnes) {
  EXPECT_THROW(parse_simd_level("avx3"), UsageError);
  EXPECT_THAT(error_text([] { parse_simd_level("avx3"); }),
              AllOf(HasSubstr("avx3"), HasSubstr("reference"), HasSubstr("avx512")));
}

TEST(Simd, LevelsAscendFromTheReferenceWithoutGaps) {
  const auto levels = available_simd_levels();
  for (std::size_t i = 0; i < levels.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(levels[i]), i);
  EXPECT_GE(levels.size(), 1u);
}

TEST(Simd, AScopeSetsTheLevelAndItsEndRestoresIt) {
  const auto before = active_simd_level();
  {
    const ScopedSimdLevel outer(SimdLevel::Reference);
    EXPECT_EQ(active_simd_level(), SimdLevel::Reference);
    {
      const ScopedSimdLevel inner(available_simd_levels().back());
      EXPECT_EQ(active_simd_level(), available_simd_levels().back());
    }
    EXPECT_EQ(active_simd_level(), SimdLevel::Reference);
  }
  EXPECT_EQ(active_simd_level(), before);
}

TEST(Simd, ALevelThatTheMachineLacksIsRefusedWithWhatItHas) {
  const auto best = available_simd_levels().back();
  std::vector<SimdLevel> lacking;
  for (int next = static_cast<int>(best) + 1; next <= static_cast<int>(SimdLevel::Amx); ++next)
    lacking.push_back(static_cast<SimdLevel>(next));
  for (const auto level : lacking)
    EXPECT_THAT(error_text([&] { const ScopedSimdLevel scope(level); }),
                AllOf(HasSubstr(std::string(simd_level_name(level))),
                      HasSubstr(std::string(simd_level_name(best)))));
}

}  // namespace
}  // namespace npq
