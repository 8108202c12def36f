#include <gmock/gmock.h>

#include "npq/model/batch.h"
#include "npq/model/output_collector.h"
#include "tests/support/torch_numbers.h"

namespace npq::test {
namespace {

using namespace clrs::spec_words;
using clrs::output;

/// What decoders make of features here: the features.
nn::TensorMap features_of(const nn::DecoderInput& input) {
  return {{"node", input.node.values},
          {"edge", input.edge.values},
          {"graph", input.graph},
          {"adjacency", input.adjacency}};
}

TEST(OutputCollector, KeepsEachSampleFromTheStepBeforeItsLastHint) {
  // Lengths 4, 1, 2: steps 2, 0 and 0. The features of sample b at step t are 10 t + b.
  model::OutputCollector collector({4, 1, 2}, features_of);
  for (int t = 0; t < 5; ++t) {
    const auto values = make_tensor({3, 1, 1}, {10.0 * t, 10.0 * t + 1, 10.0 * t + 2});
    collector.collect(
        t, {.node = {values},
            .edge = {values.unsqueeze(-1), make_tensor({1, 1}, {1}), make_tensor({1}, {0})},
            .triplets = {},
            .graph = values.squeeze(-1),
            .adjacency = values});
  }
  const auto kept = collector.finish();
  EXPECT_EQ(kept.size(), 4u);
  for (const auto& [name, part] : kept)
    EXPECT_THAT(numbers(part), ::testing::ElementsAre(20, 1, 2)) << name;
}

TEST(OutputCollector, LetsGoOfASampleOnceItsOutputsAreDecoded) {
  // Lengths 4, 1, 3: steps 2, 0 and 1. Sample 1 goes first, then sample 2, which is row 1 by then.
  model::OutputCollector collector({4, 1, 3}, features_of);
  const auto collect = [&](std::int64_t step, const std::vector<double>& rows) {
    const auto values = make_tensor({static_cast<std::int64_t>(rows.size()), 1, 1}, rows);
    collector.collect(
        step, {.node = {values},
               .edge = {values.unsqueeze(-1), make_tensor({1, 1}, {1}), make_tensor({1}, {0})},
               .triplets = {},
               .graph = values.squeeze(-1),
               .adjacency = values});
    collector.decode_collected();
    const auto staying = collector.drop_collected();
    return staying ? numbers(staying->to(at::kDouble)) : std::vector<double>{-1};
  };
  EXPECT_THAT(collect(0, {0, 1, 2}), ::testing::ElementsAre(0, 2));
  EXPECT_THAT(collect(1, {10, 12}), ::testing::ElementsAre(0));
  EXPECT_THAT(collect(2, {20}), ::testing::ElementsAre());
  EXPECT_THAT(numbers(collector.finish().at("node")), ::testing::ElementsAre(20, 1, 12));
}

TEST(TensorBatch, HoldsTheNumbersOfABatchInTheWantedDtype) {
  clrs::Batch batch;
  batch.inputs.push_back({clrs::input("A", edge, scalar), {1, 2, 2}, {0, 0.5, 0.5, 0}});
  batch.hints.push_back({clrs::hint("d", node, scalar), {2, 1, 2}, {0, 1, 2, 3}});
  batch.outputs.push_back({output("pi", node, pointer), {1, 2}, {0, 1}});
  batch.lengths = {2};
  const auto tensors = model::to_tensors(batch, at::kFloat);
  EXPECT_EQ(tensors.dtype(), at::kFloat);
  EXPECT_EQ(tensors.nodes(), 2);
  EXPECT_EQ(tensors.longest(), 2);
  EXPECT_THAT(numbers(tensors.inputs.at("A")), ::testing::ElementsAre(0, 0.5, 0.5, 0));
  EXPECT_THAT(numbers(tensors.hints.at("d").select(0, 1)), ::testing::ElementsAre(2, 3));
}

}  // namespace
}  // namespace npq::test
