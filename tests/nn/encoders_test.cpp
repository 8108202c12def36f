#include "npq/nn/encoders/encoders.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/torch_numbers.h"

namespace npq::test {
namespace {

using namespace clrs::spec_words;
using clrs::hint, clrs::input;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

nn::Channels channels(const clrs::Probe& probe, const at::Tensor& value, std::int64_t nodes) {
  return nn::channels_of(std::vector{probe}, {{probe.name, value}}, nodes, at::kDouble);
}

TEST(Channels, ANodePointerIsAMatrixOverPairsAndConnectsThemBothWays) {
  const auto made = channels(input("pi", node, pointer), make_tensor({1, 3}, {0, 0, 1}), 3);
  EXPECT_THAT(numbers(made.edge), ElementsAre(1, 0, 0, 1, 0, 0, 0, 1, 0));
  EXPECT_THAT(numbers(made.adjacency), ElementsAre(1, 1, 0, 1, 1, 1, 0, 1, 1));
  EXPECT_EQ(made.node.size(2), 0);
}

TEST(Channels, ASoftPointerConnectsWhereBothDirectionsTogetherExceedOneHalf) {
  const auto rows = make_tensor({1, 2, 2}, {0.7, 0.3, 0.2, 0.8});  // 0.3 + 0.2 is not more than 1/2
  EXPECT_THAT(numbers(channels(input("pi", node, pointer), rows, 2).adjacency),
              ElementsAre(1, 0, 0, 1));
  const auto surer = make_tensor({1, 2, 2}, {0.7, 0.3, 0.3, 0.7});
  EXPECT_THAT(numbers(channels(input("pi", node, pointer), surer, 2).adjacency),
              ElementsAre(1, 1, 1, 1));
}

TEST(Channels, AFedBackEdgeMaskConnectsEverythingSinceASigmoidIsNeverZero) {
  const auto soft = make_tensor({1, 2, 2}, {0.001, 0.001, 0.001, 0.001});
  EXPECT_THAT(numbers(channels(hint("m", edge, mask), soft, 2).adjacency), ElementsAre(1, 1, 1, 1));
  // -1 (does not count) against 1 cancels; an edge scalar never connects.
  EXPECT_THAT(
      numbers(channels(hint("m", edge, mask), make_tensor({1, 2, 2}, {0, 1, -1, 0}), 2).adjacency),
      ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(numbers(channels(hint("A", edge, scalar), soft, 2).adjacency),
              ElementsAre(1, 0, 0, 1));
}

TEST(Channels, AnEdgePointerIsHeardFromBothEndsOfItsEdges) {
  // Of two nodes: edge (0,1) points to 1, all others to 0.
  const auto made = channels(input("via", edge, pointer), make_tensor({1, 2, 2}, {0, 1, 0, 0}), 2);
  // First channel of (x,y): the share of edges (i,x) that point to y; second: of edges (x,j).
  EXPECT_THAT(numbers(made.edge.select(-1, 0)), ElementsAre(1, 0, 0.5, 0.5));
  EXPECT_THAT(numbers(made.edge.select(-1, 1)), ElementsAre(0.5, 0.5, 1, 0));
  EXPECT_THAT(numbers(made.adjacency), ElementsAre(1, 0, 0, 1));
}

TEST(Channels, AShouldBePermutationMustBeDecidedFirst) {
  const auto call = [] {
    channels(input("pred", node, should_be_permutation), make_tensor({1, 2}, {0, 0}), 2);
  };
  EXPECT_THAT(error_text(call), HasSubstr("'pred' is a should_be_permutation; turn it into"));
}

TEST(Encoders, FeaturesAreTheSumOfAffineMaps) {
  const clrs::Spec spec{input("a", node, scalar), input("b", node, categorical).of_classes(2),
                        input("g", graph, scalar)};
  auto store = zero_parameters(nn::encoder_parameters(spec, 2, nn::EncoderInit::Default));
  set(store, "encoder/a.0.w", {1, 10});
  set(store, "encoder/a.0.b", {0.5, 0});
  set(store, "encoder/b.0.w", {100, 200, 300, 400});
  set(store, "encoder/g.0.w", {7, 8});
  const auto made = nn::channels_of(spec,
                                    {{"a", make_tensor({1, 2}, {2, 3})},
                                     {"b", make_tensor({1, 2, 2}, {1, 0, 0, 1})},
                                     {"g", make_tensor({1}, {2})}},
                                    2, at::kDouble);
  const auto features = nn::Encoders(spec, 2, store).stacked()(made);
  EXPECT_THAT(numbers(features.node.all()), ElementsAre(102.5, 220, 303.5, 430));
  EXPECT_THAT(numbers(features.graph), ElementsAre(14, 16));
  EXPECT_EQ(features.edge.values.size(3), 0);
}

TEST(EdgeFeatures, FoldingALayerEqualsBuildingTheFeaturesFirst) {
  const nn::EdgeFeatures edge{make_tensor({1, 1, 1, 2}, {3, 5}), make_tensor({2, 2}, {1, 2, 3, 4}),
                              make_tensor({2}, {0.5, 0.25})};
  // Features: (3 + 15 + 0.5, 6 + 20 + 0.25) = (18.5, 26.25); the layer takes 2 x - y + 1.
  ops::Linear layer;
  layer.weight = make_tensor({2, 1}, {2, -1});
  layer.bias = make_tensor({1}, {1});
  EXPECT_THAT(numbers(edge.fold(layer)), ElementsAre(2 * 18.5 - 26.25 + 1));
}

TEST(NodeFeatures, FoldingALayerEqualsBuildingTheFeaturesFirst) {
  // Features 3 * 2 + 0.5 = 6.5, the hidden number 7 beside them; the layer takes 10 x - y + 1.
  const nn::NodeFeatures node{make_tensor({1, 1, 1}, {3}), make_tensor({1, 1}, {2}),
                              make_tensor({1}, {0.5}), std::make_shared<nn::FoldedLayers>()};
  const auto z = node.beside({make_tensor({1, 1, 1}, {7})});
  ops::Linear layer;
  layer.weight = make_tensor({2, 1}, {10, -1});
  layer.bias = make_tensor({1}, {1});
  EXPECT_THAT(numbers(z.all()), ElementsAre(6.5, 7));
  EXPECT_THAT(numbers(z.through(layer)), ElementsAre(59));
  EXPECT_THAT(numbers(z.through(layer)), ElementsAre(59));  // the kept one
}

TEST(EdgeFeatures, WithoutChannelsAreTheBiasAlone) {
  const nn::EdgeFeatures edge{make_tensor({1, 2, 2, 0}, {}), make_tensor({0, 2}, {}),
                              make_tensor({2}, {1, 2})};
  ops::Linear layer;
  layer.weight = make_tensor({2, 1}, {10, 100});
  layer.bias = make_tensor({1}, {3});
  EXPECT_THAT(numbers(edge.fold(layer)), ElementsAre(213, 213, 213, 213));
}

TEST(EncoderInit, XavierShrinksScalarHintsAlone) {
  const clrs::Spec spec{input("a", node, scalar), hint("d", node, scalar), hint("m", node, mask)};
  const auto specs = nn::encoder_parameters(spec, 16, nn::EncoderInit::XavierOnScalars);
  const auto factor = [&](std::string_view name) {
    for (const auto& one : specs) {
      if (one.name == name) return one.value;
    }
    return -1.0;
  };
  EXPECT_EQ(factor("encoder/a.0.w"), 1);
  EXPECT_EQ(factor("encoder/d.0.w"), 0.25);
  EXPECT_EQ(factor("encoder/m.0.w"), 1);
}

}  // namespace
}  // namespace npq::test
