#include "npq/prove/equivariance.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>

#include "npq/memory/catalog.h"
#include "npq/nn/processors/catalog.h"

namespace npq::prove {
namespace {

constexpr std::int64_t kHidden = kEquivarianceHidden;

TEST(Equivariance, HoldsForEveryMemoryOfTheCatalog) {
  for (const auto& row : memory::catalog()) {
    if (row.kind == memory::Kind::None) continue;
    const auto joined = model::joined_memory(memory::memory_options(row.name), kHidden);
    EXPECT_LE(equivariance_error(joined, "pgn", 7, 1), kEquivarianceTolerance) << row.name;
  }
}

TEST(Equivariance, HoldsWithEveryProcessor) {
  const auto joined = model::joined_memory(memory::memory_options("npq_w_sa"), kHidden);
  for (const auto processor : nn::processor_names())
    EXPECT_LE(equivariance_error(joined, std::string(processor), 5, 2), kEquivarianceTolerance)
        << processor;
}

/// Tells every node its number: what a memory must not know.
class NumberedNodes : public memory::Memory {
 public:
  ops::ParameterSpecs parameter_specs() const override { return {}; }
  memory::MemoryState initial_state(const memory::MemoryBatch&) const override { return {}; }
  memory::MemoryStep step(const ops::ParameterStore&, const at::Tensor& z,
                          const memory::MemoryState& state, memory::Watch) const override {
    const auto number = at::arange(z.size(1), at::kDouble).reshape({1, z.size(1), 1});
    return {.messages = number.expand({1, z.size(1), kHidden}), .next_state = state};
  }
};

TEST(Equivariance, AMemoryThatKnowsTheNodesNumbersIsFound) {
  const model::JoinedMemory joined{.memory = std::make_shared<NumberedNodes>()};
  EXPECT_GT(equivariance_error(joined, "mpnn", 5, 3), 0.1);
}

TEST(Equivariance, ARowIsAsGoodAsItsWorstCell) {
  const EquivarianceRow row{"x", {{"mpnn", 1e-15, 4}, {"gat", 2e-10, 64}, {"pgn", 1e-12, 2}}};
  EXPECT_EQ(row.worst().processor, "gat");
  EXPECT_FALSE(row.holds());
}

TEST(Equivariance, SizesGoFrom2To64) {
  const auto sizes = equivariance_sizes();
  EXPECT_EQ(sizes.front(), 2);
  EXPECT_EQ(sizes.back(), 64);
}

}  // namespace
}  // namespace npq::prove
