// The choices of the queue that are ours: what each is made for, and that the fused path knows it.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include "npq/memory/factory.h"
#include "npq/memory/flags.h"
#include "npq/ops/linear.h"
#include "tests/memory/support.h"

namespace npq::test {
namespace {

constexpr std::int64_t B = 2, N = 5, Z = 6, Mw = 3, T = 5;
using Flags = std::vector<std::pair<const char*, const char*>>;

std::unique_ptr<Memory> queue_with(const Flags& flags, const char* name = "npq_w_plus") {
  auto options = memory_options(name);
  for (const auto& [flag, value] : flags) set_flag(options, flag, value);
  return make_memory(options, Z, Mw);
}

MemoryBatch batch_of(at::ScalarType dtype = at::kDouble) {
  return {.batch = B, .nodes = N, .steps = T, .dtype = dtype};
}

constexpr auto kTypes = {at::kDouble, at::kFloat};  // composed, and fused where there is such
double allowed(at::ScalarType dtype) { return dtype == at::kDouble ? 1e-12 : 2e-5; }

/// A queue with some elements in it.
MemoryState after_some_steps(const Memory& queue, const ops::ParameterStore& parameters,
                             at::ScalarType dtype) {
  return unroll(queue, parameters, numbers({4, B, N, Z}, 1).to(dtype), batch_of(dtype))
      .states.back();
}

TEST(QueueChoices, AUnitMessageIsTheSameWhenAllNodesAreThereTwice) {
  for (const auto dtype : kTypes)
    for (const char* budget : {"node", "graph"}) {
      const auto distance = [&](const char* size) {
        const auto queue = queue_with({{"message-size", size}, {"pop-budget", budget}});
        const auto parameters = converted(some_parameters(*queue, 2), dtype);
        const auto state = after_some_steps(*queue, parameters, dtype);
        const auto z = numbers({B, N, Z}, 3).to(dtype);
        const auto once = queue->step(parameters, z, state).messages;
        const auto twice = queue->step(parameters, at::cat({z, z}, 1), state).messages;
        return difference(twice, at::cat({once, once}, 1));
      };
      EXPECT_LE(distance("unit"), allowed(dtype)) << budget;
      EXPECT_GT(distance("share"), 1e-3) << budget;
    }
}

TEST(QueueChoices, TheSizeOfMessagesDoesNotChangeWhatLeavesTheQueue) {
  for (const auto dtype : kTypes)
    for (const char* budget : {"node", "graph"}) {
      const auto unit = queue_with({{"message-size", "unit"}, {"pop-budget", budget}});
      const auto share = queue_with({{"pop-budget", budget}});
      const auto parameters = converted(some_parameters(*unit, 2), dtype);
      put(parameters, "memory/s_pop.b", at::full({1}, -3.0));  // asks for less than there is
      const auto state = after_some_steps(*queue_with({}), parameters, dtype);
      const auto z = numbers({B, N, Z}, 3).to(dtype);
      const auto expected = share->step(parameters, z, state).next_state.tensor("s");
      EXPECT_LE(difference(unit->step(parameters, z, state).next_state.tensor("s"), expected),
                allowed(dtype))
          << budget;
      EXPECT_GT(difference(expected, state.tensor("s")), 1e-3) << budget;  // something did leave
    }
}

/// v and s of the first element pushed.
std::pair<at::Tensor, at::Tensor> first_push(const Memory& queue,
                                             const ops::ParameterStore& parameters,
                                             const at::Tensor& z) {
  const auto state = queue.step(parameters, z, queue.initial_state(batch_of(z.scalar_type())));
  return {state.next_state.tensor("v").select(1, 0), state.next_state.tensor("s").select(1, 0)};
}

TEST(QueueChoices, AMaximumPushTakesEachNumberFromTheNodeThatHasMostOfIt) {
  for (const auto dtype : kTypes) {
    const auto queue = queue_with({{"push-pool", "max"}});
    const auto parameters = converted(some_parameters(*queue, 4), dtype);
    const auto z = numbers({B, N, Z}, 5).to(dtype);
    const auto [v, s] = first_push(*queue, parameters, z);
    const auto most = [&](const char* layer) {
      return std::get<0>(ops::linear(parameters, layer, z).max(1));
    };
    EXPECT_LE(difference(v, most("memory/v").tanh()), allowed(dtype));
    EXPECT_LE(difference(s, most("memory/s_push").sigmoid().squeeze(-1)), allowed(dtype));
  }
}

TEST(QueueChoices, ASoftmaxPushIsAMeanThatCanBecomeOneNode) {
  for (const auto dtype : kTypes) {
    const auto queue = queue_with({{"push-pool", "softmax"}});
    const auto parameters = converted(some_parameters(*queue, 4), dtype);
    const auto z = numbers({B, N, Z}, 5).to(dtype);
    const auto weights = parameters.at("memory/push.w").detach().clone();
    put(parameters, "memory/push.w", at::zeros_like(weights));
    const auto mean = first_push(*queue_with({}), parameters, z);
    const auto [v, s] = first_push(*queue, parameters, z);
    EXPECT_LE(difference(v, mean.first), allowed(dtype));
    EXPECT_LE(difference(s, mean.second), allowed(dtype));

    put(parameters, "memory/push.w", weights * 1e4);  // all others get exactly nothing
    const auto [one_v, one_s] = first_push(*queue, parameters, z);
    const auto best = ops::linear(parameters, "memory/push", z).argmax(1, /*keepdim=*/true);
    const auto of_best = [&](const char* layer) {
      const auto x = ops::linear(parameters, layer, z);
      return x.gather(1, best.expand({B, 1, x.size(2)})).squeeze(1);
    };
    EXPECT_LE(difference(one_v, of_best("memory/v").tanh()), allowed(dtype));
    EXPECT_LE(difference(one_s, of_best("memory/s_push").sigmoid().squeeze(-1)), allowed(dtype));
  }
}

TEST(QueueChoices, OneSoftmaxOverEqualHeadsIsThatOfOneHeadAsManyTimesAsSharp) {
  for (const char* name : {"npq_w_p", "npq_w_p_sv", "npq_m_p", "npq_w_plus"})
    for (const auto dtype : kTypes) {
      const auto several = queue_with({{"attention", "single"}, {"queue-heads", "3"}}, name);
      const auto one = queue_with({{"single-head-skip", "on"}, {"queue-heads", "1"}}, name);
      const auto parameters = converted(some_parameters(*one, 6), dtype);
      ops::ParameterStore repeated;
      for (const auto& [entry, value] : parameters) {
        const bool head = entry.starts_with("memory/a1.") || entry.starts_with("memory/a2.");
        const auto third = value.detach() / 3;
        repeated.add(entry, head ? at::cat({third, third, third}, -1) : value.detach());
      }
      const auto z = numbers({T, B, N, Z}, 7).to(dtype);
      const auto expected = at::stack(unroll(*one, parameters, z, batch_of(dtype)).messages);
      const auto got = at::stack(unroll(*several, repeated, z, batch_of(dtype)).messages);
      EXPECT_LE(difference(got, expected), allowed(dtype)) << name;
    }
}

TEST(QueueChoices, ANormedMessageHasMeanZeroAndVarianceOneHoweverLargeItWas) {
  for (const auto dtype : kTypes)
    for (const double size : {1.0, 1000.0}) {
      const auto queue = queue_with({{"message-norm", "layer"}});
      const auto parameters = converted(some_parameters(*queue, 8), dtype);
      put(parameters, "memory/norm.scale", at::ones({Mw}, at::kDouble));
      put(parameters, "memory/norm.offset", at::zeros({Mw}, at::kDouble));
      for (const char* part : {"memory/m.w", "memory/m.b"})
        put(parameters, part, parameters.at(part).detach() * size);
      const auto state = after_some_steps(*queue, parameters, dtype);
      const auto messages =
          queue->step(parameters, numbers({B, N, Z}, 3).to(dtype), state).messages;
      EXPECT_LE(messages.mean(-1).abs().max().item<double>(), 1e-5);
      EXPECT_LE((messages.var(-1, /*unbiased=*/false) - 1).abs().max().item<double>(), 1e-2);
    }
}

TEST(QueueChoices, TheFusedPathHasTheGradientsOfTheComposedOne) {
  for (const auto& [flag, value] : Flags{{"message-size", "unit"},
                                         {"push-pool", "max"},
                                         {"push-pool", "softmax"},
                                         {"attention", "single"},
                                         {"message-norm", "layer"}}) {
    const auto queue = queue_with({{flag, value}});
    const auto start = some_parameters(*queue, 9);
    const auto gradients = [&](at::ScalarType dtype) {
      ops::ParameterStore leaves;
      for (const auto& [name, tensor] : start)
        leaves.add(name, tensor.detach().to(dtype, /*non_blocking=*/false, /*copy=*/true));
      const auto z = numbers({T, B, N, Z}, 10).to(dtype).set_requires_grad(true);
      const auto messages = at::stack(unroll(*queue, leaves, z, batch_of(dtype)).messages);
      (messages * numbers({T, B, N, Mw}, 11).to(dtype)).sum().backward();
      std::vector<std::pair<std::string, at::Tensor>> all = {{"z", gradient(z)}};
      for (const auto& [name, leaf] : leaves) all.emplace_back(name, gradient(leaf));
      return all;
    };
    const auto expected = gradients(at::kDouble), got = gradients(at::kFloat);
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_LE(difference(got[k].second, expected[k].second), 1e-4)  // T steps, one on the other
          << value << ": " << expected[k].first;
  }
}

}  // namespace
}  // namespace npq::test
