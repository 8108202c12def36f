// With controls at their ends the rivals are the structures they are named after.
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <queue>
#include <stack>

#include "npq/memory/factory.h"
#include "tests/memory/support.h"

namespace npq::test {
namespace {

constexpr std::int64_t kSteps = 60, kNodes = 12;

/// Zero parameters, but for the entries w[row, column] = value.
struct Entry {
  const char* name;
  std::int64_t row, column;
  double value;
};
ops::ParameterStore zero_except(const Memory& memory, const std::vector<Entry>& entries) {
  ops::ParameterStore parameters;
  for (const auto& spec : memory.parameter_specs())
    parameters.add(spec.name, at::zeros(spec.shape, at::kDouble));
  for (const auto& [name, row, column, value] : entries)
    parameters.at(name).detach()[row][column].fill_(value);
  return parameters;
}

/// z[t, node, feature] in one graph; +1 or -1 for a control (times 1000: sigmoid gives 1 or 0
/// exactly), a small number for a value.
struct Script {
  at::Tensor z = at::zeros({kSteps, 1, kNodes, 6}, at::kDouble);
  random::RandomState random{7};

  bool flip(std::int64_t t, std::int64_t node, std::int64_t feature) {
    const bool on = random.standard_normal() > -0.2;
    z[t][0][node][feature].fill_(on ? 1.0 : -1.0);
    return on;
  }
  double value(std::int64_t t, std::int64_t node, std::int64_t feature) {
    const double x = random.standard_normal();
    z[t][0][node][feature].fill_(x);
    return std::tanh(x);
  }
};

/// Runs a stack or queue of the library beside `Standard` on every node's own operations; `front`
/// is what the standard one would pop next.
template <class Standard, class Front>
void expect_to_be(const char* name, std::int64_t slots, std::int64_t steps, Front front) {
  auto options = memory_options(name);
  options.width = 1;
  options.slots = slots;
  const auto memory = make_memory(options, 6, 1);
  const auto parameters = zero_except(*memory, {{"memory/push.w", 0, 0, 1000},
                                                {"memory/pop.w", 1, 0, 1000},
                                                {"memory/v.w", 2, 0, 1},
                                                {"memory/m.w", 0, 0, 1}});
  Script script;
  std::vector<std::vector<double>> expected(kSteps, std::vector<double>(kNodes));
  for (std::int64_t node = 0; node < kNodes; ++node) {
    Standard standard;
    for (std::int64_t t = 0; t < steps; ++t) {
      expected[t][node] = standard.empty() ? 0 : front(standard);
      const bool push = script.flip(t, node, 0), pop = script.flip(t, node, 1);
      const double value = script.value(t, node, 2);
      if (pop && !standard.empty()) standard.pop();
      if (push) standard.push(value);
    }
  }
  const auto run = unroll(*memory, parameters, script.z.narrow(0, 0, steps),
                          {.batch = 1, .nodes = kNodes, .steps = steps, .dtype = at::kDouble});
  for (std::int64_t t = 0; t < steps; ++t)
    EXPECT_LE(difference(run.messages[t].flatten(), at::tensor(expected[t], at::kDouble)), 1e-15)
        << name << ", step " << t;
}

TEST(NeuralStack, IsAStackWhenItsControlsAreZeroOrOne) {
  expect_to_be<std::stack<double>>("stack", kSteps, kSteps, [](auto& s) { return s.top(); });
}

TEST(NeuralQueue, IsAQueueWhenItsControlsAreZeroOrOne) {
  expect_to_be<std::queue<double>>("queue", kSteps, kSteps, [](auto& q) { return q.front(); });
}

TEST(NeuralStack, StillPopsTheNewestAfterItsSlotsHaveGoneRound) {
  // Four slots, five pushes, then pops: newest first, and every step takes the place of what was
  // written four steps before, also a step that pushes nothing.
  auto options = memory_options("stack");
  options.width = 1;
  options.slots = 4;
  const auto memory = make_memory(options, 6, 1);
  const auto parameters = zero_except(*memory, {{"memory/push.w", 0, 0, 1000},
                                                {"memory/pop.w", 1, 0, 1000},
                                                {"memory/v.w", 2, 0, 1},
                                                {"memory/m.w", 0, 0, 1}});
  auto z = at::zeros({8, 1, 1, 6}, at::kDouble);
  for (std::int64_t t = 0; t < 8; ++t) {
    z[t][0][0][0].fill_(t < 5 ? 1.0 : -1.0);
    z[t][0][0][1].fill_(t < 5 ? -1.0 : 1.0);
    z[t][0][0][2].fill_(std::atanh(0.1 * static_cast<double>(t + 1)));
  }
  const auto run =
      unroll(*memory, parameters, z, {.batch = 1, .nodes = 1, .steps = 8, .dtype = at::kDouble});
  const double expected[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0};
  for (std::size_t t = 0; t < 8; ++t)
    EXPECT_NEAR(run.messages[t].item<double>(), expected[t], 1e-15) << "step " << t;
}

TEST(NeuralDeque, IsADequeWhenItsControlsAreZeroOrOne) {
  auto options = memory_options("deque");
  options.width = 1;
  const auto memory = make_memory(options, 6, 2);
  const auto parameters = zero_except(*memory, {{"memory/bottom_push.w", 0, 0, 1000},
                                                {"memory/bottom_pop.w", 1, 0, 1000},
                                                {"memory/bottom_v.w", 2, 0, 1},
                                                {"memory/top_push.w", 3, 0, 1000},
                                                {"memory/top_pop.w", 4, 0, 1000},
                                                {"memory/top_v.w", 5, 0, 1},
                                                {"memory/m.w", 0, 0, 1},
                                                {"memory/m.w", 1, 1, 1}});
  Script script;
  auto expected = at::zeros({kSteps, 1, kNodes, 2}, at::kDouble);
  for (std::int64_t node = 0; node < kNodes; ++node) {
    std::deque<double> standard;
    for (std::int64_t t = 0; t < kSteps; ++t) {
      if (!standard.empty()) {
        expected[t][0][node][0].fill_(standard.front());
        expected[t][0][node][1].fill_(standard.back());
      }
      const bool push_front = script.flip(t, node, 0), pop_front = script.flip(t, node, 1);
      const double front = script.value(t, node, 2);
      const bool push_back = script.flip(t, node, 3), pop_back = script.flip(t, node, 4);
      const double back = script.value(t, node, 5);
      if (pop_back && !standard.empty()) standard.pop_back();
      if (pop_front && !standard.empty()) standard.pop_front();
      if (push_front) standard.push_front(front);
      if (push_back) standard.push_back(back);
    }
  }
  const auto run = unroll(*memory, parameters, script.z,
                          {.batch = 1, .nodes = kNodes, .steps = kSteps, .dtype = at::kDouble});
  EXPECT_LE(difference(at::stack(run.messages), expected), 1e-15);
}

TEST(Ntm, IsATapeWithSharpWeightsAndShifts) {
  // The controller's p holds (back, stay, on, value): one move a step, then the cell under the head
  // is replaced by the value.
  constexpr std::int64_t cells = 5;
  auto options = memory_options("ntm");
  options.width = 4;
  options.slots = cells;
  const auto memory = make_memory(options, 6, 1);
  std::vector<Entry> entries;
  for (std::int64_t k = 0; k < 4; ++k) entries.push_back({"memory/controller.w", k, k, 1});
  for (std::int64_t k = 0; k < 3; ++k) entries.push_back({"memory/shift.w", k, k, 1000});
  for (std::int64_t f = 0; f < 4; ++f) entries.push_back({"memory/add.w", 3, f, 1});
  const auto parameters = zero_except(*memory, entries);
  parameters.at("memory/gate.b").detach().fill_(-1000);  // by place alone, never by content
  parameters.at("memory/sharpen.b").detach().fill_(20);
  parameters.at("memory/erase.b").detach().fill_(1000);

  random::RandomState random(3);
  auto z = at::zeros({kSteps, 1, 2, 6}, at::kDouble);
  std::vector<double> tape(cells, 1e-6);
  std::int64_t head = 0;
  auto state =
      memory->initial_state({.batch = 1, .nodes = 2, .steps = kSteps, .dtype = at::kDouble});
  for (std::int64_t t = 0; t < kSteps; ++t) {
    const double draw = random.standard_normal(), x = random.standard_normal();
    const std::int64_t move = draw < -0.4 ? -1 : draw < 0.4 ? 0 : 1;
    z[t][0].select(-1, move + 1).fill_(1);
    z[t][0].select(-1, 3).fill_(x);
    head = (head + move + cells) % cells;
    tape[head] = std::tanh(x);
    state = memory->step(parameters, z[t], state).next_state;
    const auto expected = at::tensor(tape, at::kDouble).unsqueeze(-1).expand({cells, 4});
    ASSERT_LE(difference(state.tensor("tape")[0], expected), 1e-12) << "step " << t;
  }
}

TEST(Lstm, KeepsItsCellWithForgetBiasOne) {
  // All layers 0: i = o = 1/2, g = 0, so c' = sigmoid(1) c and h' = tanh(c') / 2.
  auto options = memory_options("lstm");
  options.width = 1;
  const auto memory = make_memory(options, 2, 1);
  const auto parameters = zero_except(*memory, {{"memory/m.w", 0, 0, 1}});
  auto state = memory->initial_state({.batch = 1, .nodes = 1, .steps = 2, .dtype = at::kDouble});
  state.set("c", at::ones({1, 1, 1}, at::kDouble));
  const auto next = memory->step(parameters, at::zeros({1, 1, 2}, at::kDouble), state).next_state;
  const double c = 1 / (1 + std::exp(-1.0));
  EXPECT_NEAR(next.tensor("c").item<double>(), c, 1e-15);
  EXPECT_NEAR(next.tensor("h").item<double>(), std::tanh(c) / 2, 1e-15);
}

TEST(Gru, ResetsOnlyTheHiddenProduct) {
  // hidden.b = (0, 0, 2): reset = update = 1/2, n = tanh(0 + 1/2 * 2) = tanh(1), h' = n / 2 + h
  // / 2.
  auto options = memory_options("gru");
  options.width = 1;
  const auto memory = make_memory(options, 2, 1);
  const auto parameters = zero_except(*memory, {});
  parameters.at("memory/hidden.b").detach()[2].fill_(2);
  auto state = memory->initial_state({.batch = 1, .nodes = 1, .steps = 2, .dtype = at::kDouble});
  state.set("h", at::ones({1, 1, 1}, at::kDouble) * 0.6);
  const auto next = memory->step(parameters, at::zeros({1, 1, 2}, at::kDouble), state).next_state;
  EXPECT_NEAR(next.tensor("h").item<double>(), std::tanh(1.0) / 2 + 0.3, 1e-15);
}

TEST(VirtualNode, AddsWhatTheNodesSayOnAverage) {
  // node = identity, mix reads the heard half, out = identity: g grows by relu of the mean.
  auto options = memory_options("virtual_node");
  options.width = 1;
  const auto memory = make_memory(options, 1, 1);
  const auto parameters = zero_except(*memory, {{"memory/node.w", 0, 0, 1},
                                                {"memory/mix.w", 1, 0, 1},
                                                {"memory/out.w", 0, 0, 1},
                                                {"memory/m.w", 0, 0, 1}});
  const auto z = at::tensor({1.0, 4.0}, at::kDouble).reshape({1, 1, 2, 1}).expand({3, 1, 2, 1});
  const auto run =
      unroll(*memory, parameters, z, {.batch = 1, .nodes = 2, .steps = 3, .dtype = at::kDouble});
  for (const std::int64_t t : {0, 1, 2})
    EXPECT_EQ(run.messages[t][0][1].item<double>(), 2.5 * static_cast<double>(t));
}

TEST(Constant, SendsItsLearnedMessageToEveryNodeAtEveryStep) {
  const auto memory = make_memory(memory_options("constant"), 6, 2);
  const auto parameters = zero_except(*memory, {});
  const auto message = at::tensor({0.5, -2.0}, at::kDouble);
  put(parameters, "memory/m.b", message);
  const auto run = unroll(*memory, parameters, numbers({3, 2, 4, 6}, 1),
                          {.batch = 2, .nodes = 4, .steps = 3, .dtype = at::kDouble});
  for (const auto& messages : run.messages)
    EXPECT_EQ(difference(messages, message.expand({2, 4, 2})), 0);
}

TEST(GlobalMean, SendsTheMeanOfThisStepToAllOrTheSum) {
  // f_m(z) = 2 z + 1 of the nodes 1 and 4: 3 and 9.
  for (const auto pool : {Pool::Mean, Pool::Sum}) {
    auto options = memory_options("global_mean");
    options.message_pool = pool;
    const auto memory = make_memory(options, 1, 1);
    const auto parameters = zero_except(*memory, {{"memory/m.w", 0, 0, 2}});
    parameters.at("memory/m.b").detach().fill_(1);
    const auto z = at::tensor({1.0, 4.0}, at::kDouble).reshape({1, 1, 2, 1}).expand({3, 1, 2, 1});
    const auto run =
        unroll(*memory, parameters, z, {.batch = 1, .nodes = 2, .steps = 3, .dtype = at::kDouble});
    for (const auto& messages : run.messages)
      for (const std::int64_t node : {0, 1})
        EXPECT_EQ(messages[0][node].item<double>(), pool == Pool::Mean ? 6 : 12);
  }
}

TEST(Oracle, SendsTheStoreOfTheTakenNodeAndWritesToItsChildren) {
  // Order 0, 2, none; 0 changes the keys of 1 and 2. Q is the identity, P doubles, O is the
  // identity.
  auto options = memory_options("oracle");
  options.width = 1;
  const auto memory = make_memory(options, 1, 1);
  const auto parameters = zero_except(
      *memory, {{"memory/o.w", 0, 0, 1}, {"memory/q.w", 0, 0, 1}, {"memory/p.w", 0, 0, 2}});
  MemoryBatch batch{.batch = 1, .nodes = 3, .steps = 3, .dtype = at::kDouble};
  batch.schedule_order = at::tensor({0, 2, -1}, at::kLong).unsqueeze(0);
  batch.schedule_children = at::zeros({1, 3, 3}, at::kDouble);
  batch.schedule_children[0][0][1].fill_(1);
  batch.schedule_children[0][0][2].fill_(1);
  batch.schedule_children[0][2][1].fill_(1);
  const auto z =
      at::tensor({5.0, 6.0, 7.0}, at::kDouble).reshape({1, 1, 3, 1}).expand({4, 1, 3, 1});
  const auto run = unroll(*memory, parameters, z, batch);
  const auto expect = [&](const at::Tensor& got, std::vector<double> wanted) {
    EXPECT_EQ(difference(got.flatten(), at::tensor(wanted, at::kDouble)), 0);
  };
  expect(run.messages[0], {0, 0, 0});  // the store is empty
  expect(run.states[0].tensor("store"), {0, 5, 5});
  expect(run.messages[1], {0, 0, 5});
  expect(run.states[1].tensor("store"), {0, 17, 5});  // 2 * 5 + 7
  expect(run.messages[2], {0, 0, 0});                 // nothing left to take
  expect(run.states[2].tensor("store"), {0, 17, 5});
  expect(run.states[3].tensor("store"), {0, 39, 15});  // beyond its end the schedule starts again
}

}  // namespace
}  // namespace npq::test
