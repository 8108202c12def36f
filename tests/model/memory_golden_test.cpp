// Whole networks with a memory: every run of every golden file, with losses and gradients.
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/torch_golden_memory.h"
#include "tests/support/torch_levels.h"

namespace npq::test {
namespace {

/// Also the messages and strengths of each step, where the file has them.
void add_queue(nn::TensorMap& computed, const model::Model& model, const model::TensorBatch& batch,
               std::int64_t steps) {
  std::vector<at::Tensor> messages, strength;
  at::Tensor store;
  const auto unrolled = model.unroll(batch, {.steps = steps, .keep_steps = true});
  for (const auto& step : unrolled.steps) {
    messages.push_back(step.remembered.messages);
    const auto& state = step.remembered.next_state;
    if (state.has("s")) strength.push_back(state.tensor("s"));
    if (state.has("store")) store = state.tensor("store");
  }
  computed["queue/message"] = at::stack(messages);
  if (!strength.empty()) computed["queue/strength"] = at::stack(strength);
  if (store.defined()) computed["oracle/store_last"] = store;
}

int compare_queue(const GoldenNetwork& golden, const std::string& run,
                  const nn::TensorMap& computed, double tolerance) {
  int compared = 0;
  for (const char* name : {"queue/message", "queue/strength"}) {
    if (!golden.file().find(run + name) || !computed.contains(name)) continue;
    EXPECT_LE(relative_difference(computed.at(name), golden.tensor(run + name)), tolerance)
        << run << name;
    ++compared;
  }
  return compared;
}

int compare_all(const std::filesystem::path& folder, at::ScalarType dtype,
                const GoldenTolerances& tolerances) {
  int runs = 0;
  for (const auto& path : golden_files(folder)) {
    SCOPED_TRACE(path.filename().string());
    try {
      const GoldenNetwork golden(path);
      if (golden.memory() == "none" || golden.trains()) continue;
      for (const auto& run : golden_runs(golden)) {
        SCOPED_TRACE(run);
        const auto store = golden.parameters(dtype);
        const auto batch = golden_memory_batch(golden, run, dtype);
        const model::Model model(encoded_spec(golden), golden.options(), golden_memory(golden, run),
                                 store);
        const auto steps = std::max<std::int64_t>(1, batch.hints.begin()->second.size(0) - 1);
        auto computed = everything(model, store, batch, steps);
        add_queue(computed, model, batch, steps);
        EXPECT_GT(compare_run(golden, run, computed, tolerances), 0);
        compare_queue(golden, run, computed, tolerances.predictions);
        ++runs;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  return runs;
}

TEST(MemoryGolden, NetworksWithAMemoryAgreeWithEveryRunInDouble) {
  ASSERT_TRUE(std::filesystem::exists(golden_folder())) << golden_folder() << " does not exist";
  const auto folder = golden_folder() / "model";
  if (!std::filesystem::exists(folder)) {
    std::cout << "no folder " << folder << ": nothing to compare\n";
    return;
  }
  const int runs =
      compare_all(folder, at::kDouble, {.predictions = 1e-10, .losses = 1e-10, .gradients = 1e-9});
  std::cout << "golden runs with a memory compared in float64: " << runs << "\n";
}

TEST(MemoryGolden, OurOwnFilesAgreeInFloatThroughTheFusedKernelsOfEveryLevel) {
  using kernels::Kernel;
  at_every_level(
      {Kernel::Message, Kernel::MessageBackward, Kernel::Pointer, Kernel::PointerBackward,
       Kernel::QueuePop, Kernel::QueuePopBackward, Kernel::QueuePush, Kernel::QueuePushBackward},
      [](const GoldenTolerances& tolerances) {
        const int runs = compare_all(own_golden_folder() / "model", at::kFloat, tolerances);
        std::cout << "golden runs with a memory compared in float32: " << runs << "\n";
        EXPECT_GT(runs, 0);
      });
}

}  // namespace
}  // namespace npq::test
