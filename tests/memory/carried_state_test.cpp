// What a step remembers, counted by a virtual node that adds 1 a call and tells its sum.
#include "npq/memory/carried_state.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

#include "npq/base/error.h"
#include "npq/memory/catalog.h"
#include "npq/memory/factory.h"
#include "tests/memory/support.h"

namespace npq::memory {
namespace {

using ::testing::ElementsAre;

/// What the calls of three steps were told, `calls` processor calls a step.
std::vector<double> told(Carry carry, int calls, Ablation ablation = Ablation::None) {
  auto options = memory_options("virtual_node");
  options.width = 1;
  const auto memory = make_memory(options, 1, 1);
  ops::ParameterStore parameters;
  for (const auto& spec : memory->parameter_specs())
    parameters.add(spec.name, at::zeros(spec.shape, at::kDouble));
  test::put(parameters, "memory/out.b", at::ones({1}));
  test::put(parameters, "memory/m.w", at::ones({1, 1}));

  std::vector<double> values;
  CarriedState carried(
      carry,
      memory->initial_state({.batch = 1, .nodes = 1, .steps = 3 * calls, .dtype = at::kDouble}),
      ablation);
  for (int t = 0; t < 3; ++t) {
    carried.begin_step(t);
    for (int call = 0; call < calls; ++call)
      values.push_back(carried.step(*memory, parameters, at::zeros({1, 1, 1}, at::kDouble))
                           .messages.item<double>());
  }
  return values;
}

TEST(Carry, AllHandsEveryCallToTheNext) {
  EXPECT_THAT(told(Carry::All, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(told(Carry::All, 2), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Carry, FirstStepShowsEveryLaterStepWhatTheFirstOneLeft) {
  EXPECT_THAT(told(Carry::FirstStep, 1), ElementsAre(0, 1, 1));
}

TEST(Carry, FirstStepStillShowsACallWhatTheSameStepWroteBefore) {
  EXPECT_THAT(told(Carry::FirstStep, 2), ElementsAre(0, 1, 2, 3, 2, 3));
}

TEST(Ablation, FrozenStepsAllReadWhatTheFirstStepLeft) {
  EXPECT_THAT(told(Carry::All, 1, Ablation::Freeze), ElementsAre(0, 1, 1));
  EXPECT_THAT(told(Carry::All, 2, Ablation::Freeze), ElementsAre(0, 1, 2, 2, 2, 2));
}

TEST(Ablation, EmptiedMemoriesNeverTellWhatWasWritten) {
  EXPECT_THAT(told(Carry::All, 2, Ablation::Empty), ElementsAre(0, 0, 0, 0, 0, 0));
}

/// Three graphs of four nodes, five steps, for any memory of the catalog.
struct Trial {
  std::unique_ptr<Memory> memory;
  ops::ParameterStore parameters;
  MemoryBatch batch{.batch = 3, .nodes = 4, .steps = 5, .dtype = at::kDouble};
  at::Tensor z = test::numbers({5, 3, 4, 6}, 7);

  explicit Trial(std::string_view name)
      : memory(make_memory(memory_options(name), 6, 5)),
        parameters(test::some_parameters(*memory, 3)) {
    batch.schedule_order = at::arange(4, at::kLong).expand({3, 4});
    batch.schedule_children = at::ones({3, 4, 4}, at::kDouble);
  }

  test::Run run(Ablation ablation) const {
    return test::unroll(*memory, parameters, z, batch, Carry::All, ablation);
  }
};

std::vector<std::string> memories_that_keep_something() {
  std::vector<std::string> names;
  for (const auto& row : catalog())
    if (has_state(row.kind)) names.emplace_back(row.name);
  return names;
}

class EveryMemory : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMemory, WithZeroSaysWhatItSaysWithoutTheWeightsOfItsMessage) {
  const Trial trial(GetParam());
  const auto ablated = trial.run(Ablation::Zero), whole = trial.run(Ablation::None);
  test::put(trial.parameters, trial.memory->message_layer() + ".w",
            at::zeros_like(trial.parameters.at(trial.memory->message_layer() + ".w")));
  const auto by_hand = trial.run(Ablation::None);
  for (std::size_t t = 0; t < 5; ++t)
    EXPECT_TRUE(ablated.messages[t].equal(by_hand.messages[t])) << "step " << t;
  EXPECT_FALSE(ablated.messages[4].equal(whole.messages[4])) << "the content changed nothing";
  for (const auto& [name, tensor] : whole.states.back().tensors)
    EXPECT_TRUE(ablated.states.back().tensor(name).equal(tensor)) << "the state stays: " << name;
}

TEST_P(EveryMemory, WithEmptySaysWhatAnEmptyOneSays) {
  const Trial trial(GetParam());
  const auto ablated = trial.run(Ablation::Empty);
  for (std::int64_t t = 0; t < 5; ++t) {
    auto empty = trial.memory->initial_state(trial.batch);
    if (empty.has("step")) empty.set("step", t);
    const auto expected = trial.memory->step(trial.parameters, trial.z[t], empty).messages;
    EXPECT_TRUE(ablated.messages[static_cast<std::size_t>(t)].equal(expected)) << "step " << t;
  }
}

TEST_P(EveryMemory, WithShuffleReadsTheMemoryOfTheGraphBefore) {
  const Trial trial(GetParam());
  const auto ablated = trial.run(Ablation::Shuffle), whole = trial.run(Ablation::None);
  for (std::int64_t t = 1; t < 5; ++t) {
    const auto& before = whole.states[static_cast<std::size_t>(t) - 1];
    const auto other = before.select(at::tensor({2, 0, 1}, at::kLong));
    const auto expected = trial.memory->step(trial.parameters, trial.z[t], other).messages;
    EXPECT_TRUE(ablated.messages[static_cast<std::size_t>(t)].equal(expected)) << "step " << t;
  }
  EXPECT_FALSE(ablated.messages[4].equal(whole.messages[4]));
}

INSTANTIATE_TEST_SUITE_P(Ablation, EveryMemory, ::testing::ValuesIn(memories_that_keep_something()),
                         [](const auto& info) { return info.param; });

TEST(Ablation, FromAControlThereIsNothingToTakeButWhatItHearsNow) {
  for (const char* control : {"constant", "global_mean"}) {
    const Trial trial(control);
    const auto whole = trial.run(Ablation::None);
    for (const auto ablation : {Ablation::Freeze, Ablation::Shuffle, Ablation::Empty})
      EXPECT_TRUE(trial.run(ablation).messages[4].equal(whole.messages[4])) << control;
    const auto bias = trial.parameters.at("memory/m.b").expand({3, 4, 5});
    EXPECT_TRUE(trial.run(Ablation::Zero).messages[4].equal(bias)) << control;
  }
}

TEST(Ablation, ShuffleNeedsAnotherGraph) {
  Trial trial("npq_w");
  trial.batch.batch = 1;
  trial.z = trial.z.narrow(1, 0, 1);
  EXPECT_THROW(trial.run(Ablation::Shuffle), UsageError);
}

}  // namespace
}  // namespace npq::memory
