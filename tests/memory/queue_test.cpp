// The priority queue by hand: numbers small enough to check on paper.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include <cmath>

#include "npq/memory/factory.h"
#include "npq/memory/priority_queue.h"
#include "npq/memory/slots.h"
#include "tests/memory/support.h"
#include "tests/support/error_text.h"

namespace npq::test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using Q = PriorityQueueOptions;

double logit(double p) { return std::log(p / (1 - p)); }

std::vector<double> list(const at::Tensor& x) {
  const auto flat = x.detach().to(at::kDouble).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

/// One graph, elements of one number, f_m the identity, attention indifferent between elements.
/// z_i = (logit of what node i pops, its share of the pushed value, of the pushed strength's
/// logit).
struct TinyQueue {
  explicit TinyQueue(MemoryOptions given) : options(std::move(given)) {
    options.width = 1;
    memory = make_memory(options, 3, 1);
    for (const auto& spec : memory->parameter_specs())
      parameters.add(spec.name, at::zeros(spec.shape, at::kDouble));
    set("memory/v.w", {0, 1, 0}, {3, 1});
    set("memory/m.w", {1}, {1, 1});
    if (parameters.contains("memory/s_pop.w")) {
      set("memory/s_pop.w", {1, 0, 0}, {3, 1});
      set("memory/s_push.w", {0, 0, 1}, {3, 1});
    }
  }
  void set(const char* name, std::vector<double> values, std::vector<std::int64_t> shape) {
    put(parameters, name, at::tensor(values, at::kDouble).reshape(shape));
  }
  /// A state with these elements in the first slots, the first one the oldest.
  MemoryState holding(std::vector<double> v, std::vector<double> s, std::int64_t nodes) const {
    auto state =
        memory->initial_state({.batch = 1, .nodes = nodes, .steps = 4, .dtype = at::kDouble});
    for (std::size_t j = 0; j < v.size(); ++j) {
      const auto slot = static_cast<std::int64_t>(j);
      state.tensor("v")[0][slot].fill_(v[j]);
      if (state.has("s")) state.tensor("s")[0][slot].fill_(s[j]);
      state.tensor("written")[0][slot].fill_(slot);
    }
    state.set("step", static_cast<std::int64_t>(v.size()));
    return state;
  }
  MemoryStep step(const std::vector<std::vector<double>>& z, const MemoryState& state,
                  Watch watch = Watch::Nothing) const {
    std::vector<at::Tensor> rows;
    for (const auto& row : z) rows.push_back(at::tensor(row, at::kDouble));
    return memory->step(parameters, at::stack(rows).unsqueeze(0), state, watch);
  }

  MemoryOptions options;
  std::unique_ptr<Memory> memory;
  ops::ParameterStore parameters;
};

constexpr double kNothing = -1000;  // the logit of an exact 0

TEST(PriorityQueue, AnElementGivesNoMoreThanItHoldsAndSplitsItByRequest) {
  // Strength 0.4, requests 0.5 and 0.3: they get 0.25 and 0.15, and nothing remains.
  for (const char* name : {"npq_m", "npq_w"}) {
    const TinyQueue queue(memory_options(name));
    const auto step = queue.step({{logit(0.5), 0, kNothing}, {logit(0.3), 0, kNothing}},
                                 queue.holding({1}, {0.4}, 2), Watch::Everything);
    EXPECT_THAT(list(step.messages), ElementsAre(DoubleNear(0.25, 1e-15), DoubleNear(0.15, 1e-15)));
    EXPECT_THAT(list(step.next_state.tensor("s")), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(list(step.next_state.tensor("v")), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(list(step.health.drained), ElementsAre(1));
    EXPECT_THAT(list(step.health.alive), ElementsAre(0));
  }
}

TEST(PriorityQueue, WhatCanBeGrantedIsGrantedInFull) {
  const TinyQueue queue(memory_options("npq_w"));
  const auto step = queue.step({{logit(0.2), 0, kNothing}, {logit(0.1), 0, kNothing}},
                               queue.holding({1}, {0.4}, 2));
  EXPECT_THAT(list(step.messages), ElementsAre(DoubleNear(0.2, 1e-15), DoubleNear(0.1, 1e-15)));
  EXPECT_THAT(list(step.next_state.tensor("s")), ElementsAre(DoubleNear(0.1, 1e-15), 0, 0, 0));
}

TEST(PriorityQueue, AnEmptyQueueSendsTheBiasOfTheMessageAlone) {
  TinyQueue queue(memory_options("npq_m"));
  queue.set("memory/m.b", {0.75}, {1});
  const auto step = queue.step({{5, 0, kNothing}}, queue.holding({}, {}, 1), Watch::Everything);
  EXPECT_THAT(list(step.messages), ElementsAre(0.75));
  for (const auto& [name, tensor] : step.seen) {
    if (name != "attention" && name != "request") continue;
    EXPECT_THAT(list(tensor), ElementsAre(0, 0, 0, 0)) << name;
  }
}

TEST(PriorityQueue, APushIsTheTanhOfTheSumAndTakesTheLowestFreeSlot) {
  const TinyQueue queue(memory_options("npq_w"));
  auto state = queue.holding({0.1, 0.2, 0.3}, {1, 0, 1}, 2);
  const auto step = queue.step({{kNothing, 0.5, 1}, {kNothing, 0.25, 1}}, state);
  EXPECT_THAT(list(step.next_state.tensor("v")),
              ElementsAre(0.1, DoubleNear(std::tanh(0.75), 1e-15), 0.3, 0));
  EXPECT_THAT(list(step.next_state.tensor("s")),
              ElementsAre(1, DoubleNear(1 / (1 + std::exp(-2.0)), 1e-15), 1, 0));
}

TEST(PriorityQueue, MeanPoolingDividesByTheNodesAndTheGraphBudgetDividesRequests) {
  const TinyQueue queue(memory_options("npq_w_plus"));
  const auto step =
      queue.step({{logit(0.5), 0.5, 1}, {logit(0.3), 0.25, 1}}, queue.holding({1}, {1}, 2));
  EXPECT_THAT(list(step.messages), ElementsAre(DoubleNear(0.25, 1e-15), DoubleNear(0.15, 1e-15)));
  EXPECT_NEAR(step.next_state.tensor("v")[0][1].item<double>(), std::tanh(0.375), 1e-15);
  EXPECT_NEAR(step.next_state.tensor("s")[0][1].item<double>(), 1 / (1 + std::exp(-1.0)), 1e-15);
}

TEST(PriorityQueue, APushWithoutStrengthNeitherTakesASlotNorDrivesAnElementOut) {
  auto options = memory_options("npq_w");
  options.slots = 2;
  const TinyQueue queue(options);
  const auto full = queue.holding({0.1, 0.2}, {0.5, 0.25}, 1);
  const auto step = queue.step({{kNothing, 3, kNothing}}, full);
  EXPECT_THAT(list(step.next_state.tensor("v")), ElementsAre(0.1, 0.2));
  EXPECT_THAT(list(step.next_state.tensor("s")), ElementsAre(0.5, 0.25));
}

TEST(PriorityQueue, AFullQueueGivesUpItsWeakestOrOldestElementOrAddsToTheFirst) {
  const auto values = [](Q::FullQueue policy) {
    auto options = memory_options("npq_w");
    options.slots = 3;
    options.queue.full_queue = policy;
    const TinyQueue queue(options);
    const auto step =
        queue.step({{kNothing, 20, 1000}}, queue.holding({0.1, 0.2, 0.3}, {0.5, 0.25, 0.75}, 1));
    return list(step.next_state.tensor("v"));
  };
  EXPECT_THAT(values(Q::FullQueue::Weakest), ElementsAre(0.1, 1, 0.3));
  EXPECT_THAT(values(Q::FullQueue::Oldest), ElementsAre(1, 0.2, 0.3));
  EXPECT_THAT(values(Q::FullQueue::Add), ElementsAre(1.1, 0.2, 0.3));
}

TEST(PriorityQueue, WithoutStrengthsAFullQueueReplacesItsOldestElement) {
  auto options = memory_options("npq_m_p");
  options.slots = 2;
  const TinyQueue queue(options);
  auto step = queue.step({{0, 20, 0}}, queue.holding({0.1, 0.2}, {}, 1));
  EXPECT_THAT(list(step.next_state.tensor("v")), ElementsAre(1, 0.2));
  step = queue.step({{0, -20, 0}}, step.next_state);
  EXPECT_THAT(list(step.next_state.tensor("v")), ElementsAre(1, -1));
}

TEST(PriorityQueue, AmongEqualsMaxPoppingTakesTheFirst) {
  const TinyQueue queue(memory_options("npq_m_p"));
  const auto step = queue.step({{0, 0, 0}}, queue.holding({0.1, 0.2, 0.3}, {}, 1));
  EXPECT_THAT(list(step.messages), ElementsAre(0.1));
}

TEST(PriorityQueue, EmptySlotsTakePartInAttentionOnlyWithoutTheSecondMask) {
  // Three equal elements in four slots: a third each, and a quarter where the empty one counts
  // (f_a is 0 here, so all logits agree).
  auto options = memory_options("npq_w_p");
  const TinyQueue masked(options);
  EXPECT_NEAR(
      masked.step({{0, 0, 0}}, masked.holding({0.3, 0.3, 0.3}, {}, 1)).messages.item<double>(), 0.3,
      1e-15);
  options.queue.mask_second_softmax = false;
  const TinyQueue leaking(options);
  EXPECT_NEAR(
      leaking.step({{0, 0, 0}}, leaking.holding({0.3, 0.3, 0.3}, {}, 1)).messages.item<double>(),
      0.225, 1e-15);
}

TEST(PriorityQueue, MultipliesAnElementByItsWeightsOnceUntilItIsReplacedByHand) {
  const auto queue = make_memory(memory_options("npq_w"), 3, 2);
  const auto parameters = converted(some_parameters(*queue, 1), at::kFloat);
  const auto z = numbers({4, 2, 5, 3}, 2).to(at::kFloat);
  auto state = unroll(*queue, parameters, z, {.batch = 2, .nodes = 5, .steps = 4}).states.back();
  ASSERT_EQ(state.products.size(), 2u);
  for (const auto& product : state.products)
    EXPECT_LE(difference(product.value, state.tensor("v").matmul(product.weight)), 1e-6);
  EXPECT_LE(difference(state.select(at::tensor({1}, at::kLong)).products[0].value,
                       state.products[0].value.narrow(0, 1, 1)),
            0);
  state.set("v", state.tensor("v") * 2);
  EXPECT_TRUE(state.products.empty());
}

TEST(PriorityQueue, SendToAllNamesItsDelivery) {
  auto options = memory_options("npq_w_sa");
  const auto delivered = [](const MemoryOptions& of) {
    const TinyQueue queue(of);
    return queue.step({{0, 0, 0}}, queue.holding({}, {}, 1)).delivery;
  };
  EXPECT_EQ(delivered(options), Delivery::All);
  options.queue.sa_mode = Delivery::SelfRepeat;
  EXPECT_EQ(delivered(options), Delivery::SelfRepeat);
  EXPECT_EQ(delivered(memory_options("npq_w")), Delivery::Self);
}

TEST(PriorityQueue, MaxPoppingTeachesTheAttentionOnlyStraightThrough) {
  for (const bool straight : {false, true}) {
    auto options = memory_options("npq_m_p");  // keeps several elements to choose from
    options.queue.straight_through = straight;
    const auto memory = make_memory(options, 6, 3);
    const auto parameters = some_parameters(*memory, 1);
    const auto z = numbers({5, 2, 4, 6}, 2) * 0.3;
    const auto run =
        unroll(*memory, parameters, z, {.batch = 2, .nodes = 4, .steps = 5, .dtype = at::kDouble});
    (at::stack(run.messages) * numbers({5, 2, 4, 3}, 3)).sum().backward();
    for (const char* name : {"memory/a1.w", "memory/a2.w", "memory/a.w"})
      EXPECT_EQ(gradient(parameters.at(name)).abs().max().item<double>() > 0, straight) << name;
  }
}

TEST(Slots, AMaskedSoftmaxOverNothingIsZeroWithGradientZero) {
  const auto logits = at::tensor({1.0, 2.0, 3.0}, at::kDouble).set_requires_grad(true);
  const auto weights = masked_softmax(logits, at::zeros({3}, at::kBool));
  EXPECT_THAT(list(weights), ElementsAre(0, 0, 0));
  weights.sum().backward();
  EXPECT_THAT(list(logits.grad()), ElementsAre(0, 0, 0));
}

TEST(ParameterCounts, AreThoseOfTheAuthorsModules) {
  // H = 128: Z = F = 256, messages of 128, 4 heads.
  const auto count = [](const MemoryOptions& options) {
    return ops::count_elements(make_memory(options, 256, 128)->parameter_specs());
  };
  EXPECT_EQ(count(memory_options("npq_w")), 101263);
  EXPECT_EQ(count(memory_options("npq_m_sv")), 101263);
  EXPECT_EQ(count(memory_options("npq_m_p")), 100749);
}

TEST(ParameterCounts, MatchingChoosesTheWidthThatComesClosest) {
  const auto target = memory_options("npq_w");
  for (const auto& row : catalog()) {
    if (!has_state(row.kind)) continue;
    const auto options = memory_options(row.name);
    const auto matched = match_parameters(options, target, 256, 128);
    const auto distance = [&](std::int64_t width) {
      auto tried = matched;
      tried.width = width;
      return std::abs(ops::count_elements(make_memory(tried, 256, 128)->parameter_specs()) -
                      101263);
    };
    EXPECT_LT(distance(matched.width), 101263 / 100) << row.name;
    EXPECT_LT(distance(matched.width), distance(matched.width - 1)) << row.name;
    EXPECT_LE(distance(matched.width), distance(matched.width + 1)) << row.name;
  }
}

TEST(ParameterCounts, WhatKeepsNothingHasNoWidthToMatch) {
  for (const char* control : {"constant", "global_mean"})
    EXPECT_THAT(error_text([&] {
                  match_parameters(memory_options(control), memory_options("npq_w"), 256, 128);
                }),
                ::testing::HasSubstr("leave --match-parameters out"))
        << control;
}

}  // namespace
}  // namespace npq::test
