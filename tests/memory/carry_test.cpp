// What a step remembers, counted by a virtual node that adds 1 a call and tells its sum.
#include "npq/memory/carry.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include "npq/memory/factory.h"
#include "tests/memory/support.h"

namespace npq::memory {
namespace {

using ::testing::ElementsAre;

/// What the calls of three steps were told, `calls` processor calls a step.
std::vector<double> told(Carry carry, int calls) {
  auto options = memory_options("virtual_node");
  options.width = 1;
  const auto memory = make_memory(options, 1, 1);
  ParameterStore parameters;
  for (const auto& spec : memory->parameter_specs())
    parameters.add(spec.name, at::zeros(spec.shape, at::kDouble));
  testing::put(parameters, "memory/out.b", at::ones({1}));
  testing::put(parameters, "memory/m.w", at::ones({1, 1}));

  std::vector<double> values;
  Thread thread(carry, memory->initial_state(
                           {.batch = 1, .nodes = 1, .steps = 3 * calls, .dtype = at::kDouble}));
  for (int t = 0; t < 3; ++t) {
    thread.begin_step(t);
    for (int call = 0; call < calls; ++call)
      values.push_back(thread.step(*memory, parameters, at::zeros({1, 1, 1}, at::kDouble))
                           .messages.item<double>());
  }
  return values;
}

TEST(Carry, AllThreadsEveryCallIntoTheNext) {
  EXPECT_THAT(told(Carry::All, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(told(Carry::All, 2), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Carry, FirstStepShowsEveryLaterStepWhatTheFirstOneLeft) {
  EXPECT_THAT(told(Carry::FirstStep, 1), ElementsAre(0, 1, 1));
}

TEST(Carry, FirstStepStillShowsACallWhatTheSameStepWroteBefore) {
  EXPECT_THAT(told(Carry::FirstStep, 2), ElementsAre(0, 1, 2, 3, 2, 3));
}

}  // namespace
}  // namespace npq::memory
