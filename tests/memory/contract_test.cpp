// What every memory promises (npq/memory/memory.h), checked for each row of the catalog. A new row
// is covered without a line here; AverageMemory below shows that a memory of one's own is, too.
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "npq/memory/factory.h"
#include "tests/memory/contract_cases.h"
#include "tests/memory/support.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

class MemoryContract : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Memory> memory(std::optional<std::int64_t> slots = {}) const {
    return GetParam().make(slots);
  }
  const at::Tensor z = numbers({T, B, N, Z}, 1);
};

TEST_P(MemoryContract, ParameterNamesBeginWithMemoryAndTheInitialStateNeedsNone) {
  for (const auto& spec : memory()->parameter_specs())
    EXPECT_TRUE(spec.name.starts_with("memory/")) << spec.name;
  for (const auto& [name, tensor] : memory()->initial_state(some_batch()).tensors)
    EXPECT_FALSE(tensor.requires_grad()) << name;
}

TEST_P(MemoryContract, PermutingTheNodesPermutesTheMessages) {
  const auto m = memory();
  const auto parameters = some_parameters(*m, 2);
  const auto permutation = at::tensor({3, 0, 4, 1, 2}, at::kLong);
  const auto batch = some_batch();
  auto permuted = batch;
  permuted.schedule_order =  // node permutation[i] is now called i
      batch.schedule_order.unsqueeze(-1)
          .eq(permutation)
          .to(at::kLong)
          .matmul(at::arange(N, at::kLong)) -
      batch.schedule_order.lt(0).to(at::kLong);
  const auto expected = unroll(*m, parameters, z, batch);
  const auto got = unroll(*m, parameters, z.index_select(2, permutation), permuted);
  for (std::size_t t = 0; t < T; ++t)
    EXPECT_LE(difference(got.messages[t], expected.messages[t].index_select(1, permutation)), 1e-12)
        << "step " << t;
}

TEST_P(MemoryContract, SamplesDoNotSeeEachOther) {
  const auto m = memory();
  const auto parameters = some_parameters(*m, 3);
  const auto batch = some_batch();
  const auto together = at::stack(unroll(*m, parameters, z, batch).messages);
  for (std::int64_t b = 0; b < B; ++b) {
    auto alone = some_batch(1);
    alone.schedule_order = batch.schedule_order.narrow(0, b, 1);
    const auto got = at::stack(unroll(*m, parameters, z.narrow(1, b, 1), alone).messages);
    EXPECT_LE(difference(got, together.narrow(1, b, 1)), 1e-12) << "sample " << b;
  }
}

TEST_P(MemoryContract, SlotsThatAreNeverWrittenChangeNothing) {
  if (!GetParam().has_slots) return;
  const auto parameters = some_parameters(*memory(2 * T), 4);
  const auto fitting = at::stack(unroll(*memory(2 * T), parameters, z, some_batch()).messages);
  const auto roomy = at::stack(unroll(*memory(2 * T + 8), parameters, z, some_batch()).messages);
  if (GetParam().unused_slots_show) {
    EXPECT_GT(difference(roomy, fitting), 1e-6);
  } else {
    EXPECT_LE(difference(roomy, fitting), 1e-12);
  }
}

TEST_P(MemoryContract, PaddingNodesChangeNothingForTheRealOnes) {
  const auto m = memory();
  const auto noise = numbers({T, B, 2, Z}, 6) * 10;
  for (const auto dtype : {at::kDouble, at::kFloat}) {  // composed, and fused where there is such
    const auto parameters = converted(some_parameters(*m, 5), dtype);
    auto batch = some_batch();
    batch.dtype = dtype;
    batch.schedule_children = batch.schedule_children.to(dtype);
    auto padded = some_batch(B, N + 2);
    padded.dtype = dtype;
    padded.schedule_children = padded.schedule_children.to(dtype);
    padded.schedule_order = batch.schedule_order;
    padded.node_mask = at::arange(N + 2, at::kLong).lt(N).expand({B, N + 2});
    const auto expected = unroll(*m, parameters, z.to(dtype), batch);
    const auto got = unroll(*m, parameters, at::cat({z, noise}, 2).to(dtype), padded);
    for (std::size_t t = 0; t < T; ++t)
      EXPECT_LE(difference(got.messages[t].narrow(1, 0, N), expected.messages[t]),
                dtype == at::kDouble ? 1e-12 : 1e-5)
          << "step " << t;
  }
}

TEST_P(MemoryContract, GradientsAreFiniteWhenEmptyAndWhenFull) {
  const auto m = memory(2);  // T steps overfill two slots
  for (const double size : {0.0, 1.0, 1000.0}) {
    const auto parameters = some_parameters(*m, 7);
    const auto input = (z * size).set_requires_grad(true);
    const auto run = unroll(*m, parameters, input, some_batch());
    at::stack(run.messages).sum().backward();
    EXPECT_TRUE(at::stack(run.messages).isfinite().all().item<bool>()) << "inputs times " << size;
    EXPECT_TRUE(gradient(input).isfinite().all().item<bool>()) << "inputs times " << size;
    for (const auto& [name, leaf] : parameters)
      EXPECT_TRUE(gradient(leaf).isfinite().all().item<bool>()) << name << ", times " << size;
  }
}

/// Whether the message of step 2 depends on what step 1 wrote: the check of the next two tests.
bool a_write_reaches_the_next_step(const Memory& memory, const at::Tensor& z, Carry carry) {
  const auto parameters = some_parameters(memory, 8);
  auto other = z.clone();
  other.select(0, 1).neg_();
  const auto first = unroll(memory, parameters, z, some_batch(), carry);
  const auto second = unroll(memory, parameters, other, some_batch(), carry);
  return difference(second.messages[2], first.messages[2]) > 1e-6;
}

TEST_P(MemoryContract, WhatAStepWritesReachesTheNextStepWhereThereIsAState) {
  EXPECT_EQ(a_write_reaches_the_next_step(*memory(), z, Carry::All), GetParam().has_state);
}

TEST_P(MemoryContract, AStateIsThereWhereTheCatalogSaysSo) {
  const auto state = memory()->initial_state(some_batch());
  EXPECT_EQ(!state.tensors.empty(), GetParam().has_state);
}

TEST_P(MemoryContract, CarryingOnlyTheFirstStepFailsThatCheck) {
  EXPECT_FALSE(a_write_reaches_the_next_step(*memory(), z, Carry::FirstStep));
}

TEST_P(MemoryContract, OtherWeightsCountFromTheNextStepOn) {
  // What a state has computed beforehand must not outlive the weights.
  const auto m = memory();
  const auto parameters = converted(some_parameters(*m, 13), at::kFloat);
  auto batch = some_batch();
  batch.dtype = at::kFloat;
  batch.schedule_children = batch.schedule_children.to(at::kFloat);
  const auto numbers = z.to(at::kFloat);
  const auto state = unroll(*m, parameters, numbers.narrow(0, 0, 3), batch).states.back();
  auto bare = state;
  bare.products.clear();
  for (const auto& [name, tensor] : parameters) put(parameters, name, tensor.detach() * 0.5);
  const auto next = numbers.select(0, 3);
  EXPECT_EQ(difference(m->step(parameters, next, state).messages,
                       m->step(parameters, next, bare).messages),
            0);
}

TEST_P(MemoryContract, ASavedStateContinuesExactly) {
  const npq::test::TemporaryFolder folder;
  const auto m = memory();
  const auto parameters = some_parameters(*m, 9);
  const auto run = unroll(*m, parameters, z, some_batch());
  save_state(folder / "state.safetensors", run.states[2]);
  const auto restored = load_state(folder / "state.safetensors");
  ASSERT_EQ(restored.tensors.size(), run.states[2].tensors.size());
  const auto next = m->step(parameters, z[3], restored);
  EXPECT_EQ(difference(next.messages, run.messages[3]), 0);
  for (const auto& [name, tensor] : next.next_state.tensors)
    EXPECT_EQ(difference(tensor, run.states[3].tensor(name)), 0) << name;
  EXPECT_EQ(next.next_state.integers, run.states[3].integers);
}

TEST_P(MemoryContract, AStepLeavesTheStateItWasGiven) {
  const auto m = memory();
  const auto parameters = some_parameters(*m, 10);
  const auto before = unroll(*m, parameters, z, some_batch()).states[2];
  auto copy = before;
  for (auto& [name, tensor] : copy.tensors) tensor = tensor.clone();
  m->step(parameters, z[3], before, Watch::Everything);
  for (const auto& [name, tensor] : before.tensors)
    EXPECT_EQ(difference(tensor, copy.tensor(name)), 0) << name;
}

TEST_P(MemoryContract, WatchingChangesNothing) {
  const auto m = memory();
  const auto parameters = some_parameters(*m, 11);
  const auto before = unroll(*m, parameters, z, some_batch()).states[2];
  const auto quiet = m->step(parameters, z[3], before);
  const auto watched = m->step(parameters, z[3], before, Watch::Everything);
  EXPECT_EQ(difference(watched.messages, quiet.messages), 0);
  for (const auto& value : {watched.health.alive, watched.health.strength, watched.health.drained,
                            watched.health.saturated})
    if (value.defined()) {
      EXPECT_EQ(value.sizes(), at::IntArrayRef({B}));
    }
}

TEST_P(MemoryContract, GradientsAgreeWithDifferences) {
  const auto m = memory();
  const auto start = some_parameters(*m, 12);
  const auto cotangent = numbers({T, B, N, Mw}, 13);
  // One random direction through all parameters and inputs, 1e-6 to either side of the start.
  const auto value_at = [&](double h, ops::ParameterStore* leaves, at::Tensor* input) {
    ops::ParameterStore moved;
    for (const auto& [name, tensor] : start)
      moved.add(name,
                tensor.detach() + h * numbers(tensor.sizes().vec(), ops::derive_seed(14, name)));
    const auto moved_z = (z + h * numbers({T, B, N, Z}, 15)).set_requires_grad(true);
    const auto value =
        (at::stack(unroll(*m, moved, moved_z, some_batch()).messages) * cotangent).sum();
    if (leaves) {
      value.backward();
      *leaves = moved;
      *input = moved_z;
    }
    return value.item<double>();
  };
  ops::ParameterStore leaves;
  at::Tensor input;
  value_at(0, &leaves, &input);
  double slope = (gradient(input) * numbers({T, B, N, Z}, 15)).sum().item<double>();
  for (const auto& [name, leaf] : leaves)
    slope += (gradient(leaf) * numbers(leaf.sizes().vec(), ops::derive_seed(14, name)))
                 .sum()
                 .item<double>();
  const double quotient =
      (value_at(1e-6, nullptr, nullptr) - value_at(-1e-6, nullptr, nullptr)) / 2e-6;
  if (GetParam().exact_gradient) {
    EXPECT_NEAR(slope, quotient, 1e-6 * std::max(1.0, std::abs(quotient)));
  } else {
    EXPECT_GT(gradient(leaves.at("memory/a1.w")).abs().max().item<double>(), 0);
  }
}

TEST_P(MemoryContract, Float32FollowsFloat64) {
  const auto m = memory();
  const auto parameters = some_parameters(*m, 16);
  auto batch = some_batch();
  const auto expected = at::stack(unroll(*m, parameters, z, batch).messages);
  batch.dtype = at::kFloat;
  const auto got =
      at::stack(unroll(*m, converted(parameters, at::kFloat), z.to(at::kFloat), batch).messages);
  EXPECT_EQ(got.scalar_type(), at::kFloat);
  EXPECT_LE(difference(got, expected), 2e-5);  // T steps of sums of some ten terms
}

INSTANTIATE_TEST_SUITE_P(Catalog, MemoryContract, ::testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(NoMemory, IsNone) { EXPECT_EQ(make_memory(memory_options("none"), Z, Mw), nullptr); }

}  // namespace
}  // namespace npq::test
