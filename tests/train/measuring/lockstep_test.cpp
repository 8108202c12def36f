#include "npq/train/measuring/lockstep.h"

#include <gmock/gmock.h>

#include "npq/kernels/calls.h"
#include "npq/memory/catalog.h"

namespace npq::train {
namespace {

TrainOptions small(const char* processor, const char* memory) {
  TrainOptions options;
  options.model.processor.name = processor;
  options.model.hidden = 16;
  options.memory = memory::memory_options(memory);
  options.batch = 2;
  options.train_sizes = {5};
  return options;
}

TEST(Lockstep, BothPathsAgreeAtEveryLevelOfThisMachine) {
  for (const auto level : available_simd_levels()) {
    const ScopedSimdLevel scope(level);
    const auto bounds = lockstep_bounds(level);
    for (const char* memory : {"none", "npq_w", "npq_m_p_sa"}) {
      const auto before = kernels::calls(kernels::Kernel::MessageBackward);
      const auto largest = run_lockstep(small("mpnn", memory), 3);
      EXPECT_LE(largest.loss, bounds.loss) << simd_level_name(level) << " " << memory;
      EXPECT_LE(largest.gradient, bounds.gradient) << simd_level_name(level) << " " << memory;
      EXPECT_GT(kernels::calls(kernels::Kernel::MessageBackward), before);
    }
  }
}

// Of these ten updates three or so are near a kink (which ones depends on the machine's rounding).
TEST(Lockstep, AnUpdateNearAKinkIsComparedWithItsNeighbours) {
  TrainOptions options;
  options.model.hidden = 32;
  options.batch = 8;
  const auto largest = run_lockstep(options, 10);
  EXPECT_LE(largest.gradient, lockstep_bounds(active_simd_level()).gradient);
}

TEST(Lockstep, ShowsEveryStepAndReturnsTheLargest) {
  std::vector<LockstepDifference> seen;
  const auto largest =
      run_lockstep(small("mpnn", "none"), 4, [&](const auto& found) { seen.push_back(found); });
  ASSERT_EQ(seen.size(), 4u);
  double loss = 0, gradient = 0;
  std::int64_t kinks = 0;
  for (const auto& found : seen) {
    loss = std::max(loss, found.loss);
    gradient = std::max(gradient, found.gradient);
    kinks += found.kinks;
  }
  EXPECT_EQ(largest.loss, loss);
  EXPECT_EQ(largest.gradient, gradient);
  EXPECT_EQ(largest.kinks, kinks);
  // Training goes on between the steps.
  EXPECT_NE(seen[0].composed_loss, seen[3].composed_loss);
}

TEST(Lockstep, TilesOfBfloat16MayBeTenTimesLessExact) {
  EXPECT_EQ(lockstep_bounds(SimdLevel::Avx512).gradient, 1e-3);
  EXPECT_EQ(lockstep_bounds(SimdLevel::Amx).gradient, 1e-2);
}

}  // namespace
}  // namespace npq::train
