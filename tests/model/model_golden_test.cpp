#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/torch_golden.h"
#include "tests/support/torch_levels.h"

namespace npq::test {
namespace {

struct Count {
  int run = 0, with_memory = 0, training = 0;
};

/// Compares every network without memory; those with one, and courses of training, belong to other
/// tests.
Count compare_all(const std::filesystem::path& folder, at::ScalarType dtype,
                  const GoldenTolerances& tolerances) {
  Count count;
  for (const auto& path : golden_files(folder)) {
    SCOPED_TRACE(path.filename().string());
    try {
      const GoldenNetwork golden(path);
      if (golden.memory() != "none") {
        ++count.with_memory;
        continue;
      }
      if (golden.trains()) {
        ++count.training;
        continue;
      }
      const auto store = golden.parameters(dtype);
      const auto batch = golden.batch(dtype);
      const model::Model model(golden.spec(), golden.options(), store);
      const auto padded = batch.hints.empty() ? 1 : batch.hints.begin()->second.size(0) - 1;
      const auto computed = everything(model, store, batch, std::max<std::int64_t>(1, padded));
      EXPECT_GT(compare_run(golden, "", computed, tolerances), 0);
      ++count.run;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  return count;
}

TEST(ModelGolden, NetworksWithoutMemoryAgreeWithTheReferenceInDouble) {
  ASSERT_TRUE(std::filesystem::exists(golden_folder())) << golden_folder() << " does not exist";
  const auto folder = golden_folder() / "model";
  if (!std::filesystem::exists(folder)) {
    std::cout << "no folder " << folder << ": nothing to compare\n";
    return;
  }
  const auto count =
      compare_all(folder, at::kDouble, {.predictions = 1e-10, .losses = 1e-10, .gradients = 1e-9});
  std::cout << "golden networks compared in float64: " << count.run
            << " (left to other tests: " << count.with_memory << " with a memory, "
            << count.training << " courses of training)\n";
  EXPECT_GT(count.run, 0);
}

TEST(ModelGolden, NetworksWithoutMemoryAgreeInFloatThroughTheFusedKernelsOfEveryLevel) {
  using kernels::Kernel;
  at_every_level(
      {Kernel::Message, Kernel::MessageBackward, Kernel::Pointer, Kernel::PointerBackward,
       Kernel::EdgePointer, Kernel::EdgePointerBackward, Kernel::Attention,
       Kernel::AttentionBackward, Kernel::MaxPlus, Kernel::MaxPlusBackward},
      [](const GoldenTolerances& tolerances) {
        const auto count = compare_all(own_golden_folder() / "model", at::kFloat, tolerances);
        std::cout << "golden networks compared in float32: " << count.run << "\n";
        EXPECT_GT(count.run, 0);
      });
}

}  // namespace
}  // namespace npq::test
