#include "npq/nn/decoders/decoder.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>

#include <cmath>

#include "npq/nn/decoders/postprocess.h"
#include "npq/nn/decoders/sinkhorn.h"
#include "tests/support/torch_golden.h"
#include "tests/support/torch_numbers.h"

// By hand: hidden size 1 and two nodes, of whose three numbers (encoded, before, after) only the
// last is not zero.
namespace npq::test {
namespace {

using namespace clrs::spec_words;
using clrs::output;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

nn::DecoderInput two_nodes() {
  return {.node = {make_tensor({1, 2, 3}, {0, 0, 1, 0, 0, 2})},
          .edge = {make_tensor({1, 2, 2, 1}, {0.1, 0.2, 0.3, 0.4}), make_tensor({1, 1}, {1}),
                   make_tensor({1}, {0})},
          .triplets = {},
          .graph = make_tensor({1, 1}, {100}),
          .adjacency = make_tensor({1, 2, 2}, {1, 0, 0, 1}).to(at::kBool)};
}

/// Layers of the probe as (weight of the last node number or of the rest) in order, all biases
/// zero.
ops::ParameterStore layers(const clrs::Probe& probe,
                           const std::vector<std::vector<double>>& weights,
                           std::int64_t edge_width = 1) {
  auto store = zero_parameters(nn::decoder_parameters(probe, 1, edge_width));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    set(store, "decoder/" + probe.name + "." + std::to_string(k) + ".w", weights[k]);
  }
  return store;
}

std::vector<double> decoded(const clrs::Probe& probe,
                            const std::vector<std::vector<double>>& weights, bool masked = false) {
  const auto store = layers(probe, weights);
  return numbers(nn::Decoder(probe, masked, store)(two_nodes()));
}

TEST(Decoder, ANodeIsReadFromItsOwnFeatures) {
  EXPECT_THAT(decoded(output("x", node, scalar), {{0, 0, 5}}), ElementsAre(5, 10));
}

TEST(Decoder, ANodePointerComparesWhoWithToWhomAcrossTheEdgeBack) {
  // p[i,j] = max(h[i], 0.5 h[j] + 10 E[j,i]): 0.5 + 1 | 1 + 3; then 2 against 0.5 + 2 | 1 + 4.
  EXPECT_THAT(decoded(output("x", node, pointer), {{0, 0, 1}, {0, 0, 0.5}, {10}, {1}}),
              ElementsAre(1.5, 4, 2.5, 5));
}

TEST(Decoder, AnEdgeIsReadFromBothEndsAndItself) {
  // p[i,j] = h[i] + 10 h[j] + E[i,j]
  EXPECT_THAT(decoded(output("x", edge, scalar), {{0, 0, 1}, {0, 0, 10}, {1}}),
              ElementsAre(11.1, 21.2, 12.3, 22.4));
}

TEST(Decoder, AnEdgePointerComparesTheEdgeWithEachNode) {
  // q[i,j] = 10 E[i,j] = 1, 2, 3, 4 against 1.5 h[k] = 1.5, 3.
  EXPECT_THAT(decoded(output("x", edge, pointer), {{0}, {0}, {10}, {0, 0, 1.5}, {1}}),
              ElementsAre(1.5, 3, 2, 3, 3, 3, 4, 4));
}

TEST(Decoder, AGraphIsReadFromTheLargestNodeFeaturesAndItsOwn) {
  EXPECT_THAT(decoded(output("x", graph, scalar), {{0, 0, 1}, {0.01}}), ElementsAre(3));
  EXPECT_THAT(decoded(output("x", graph, pointer), {{0, 0, 1}, {0.01}, {0, 0, 10}}),
              ElementsAre(13, 23));
}

TEST(Decoder, MaskedPairsFallBelowTheLeastLogitOfTheSampleAndBelowMinusOne) {
  EXPECT_THAT(decoded(output("x", edge, mask), {{0, 0, 1}, {0, 0, 10}, {0}}, /*masked=*/true),
              ElementsAre(11, -1, -1, 22));  // the least is 11; 11 - 1 is not below -1
  EXPECT_THAT(decoded(output("x", edge, mask), {{0, 0, -1}, {0, 0, -10}, {0}}, true),
              ElementsAre(-11, -23, -23, -22));
  EXPECT_THAT(decoded(output("x", edge, scalar), {{0, 0, 1}, {0, 0, 10}, {0}}, true),
              ElementsAre(11, 21, 12, 22));  // scalars are not choices
}

TEST(Decoder, TripletMessagesAreReadBesideTheEdges) {
  const auto probe = output("x", edge, scalar);
  const auto store = layers(probe, {{0}, {0}, {1, 10}}, /*edge_width=*/2);
  auto in = two_nodes();
  in.triplets = make_tensor({1, 2, 2, 1}, {1, 2, 3, 4});
  EXPECT_THAT(numbers(nn::Decoder(probe, false, store)(in)), ElementsAre(10.1, 20.2, 30.3, 40.4));
}

TEST(Sinkhorn, RowsAndColumnsSumToOneAndTheDiagonalIsZero) {
  ops::Stream stream(1);
  std::vector<double> scores(2 * 5 * 5);
  for (auto& x : scores) x = 0.2 * stream.normal();
  const auto matrix = nn::log_sinkhorn(make_tensor({2, 5, 5}, scores), 200).exp();
  const auto ones = at::ones({2, 5}, at::kDouble);
  EXPECT_LE(relative_difference(matrix.sum(-1), ones), 1e-6);
  EXPECT_LE(relative_difference(matrix.sum(-2), ones), 1e-12);
  EXPECT_LE(matrix.diagonal(0, 1, 2).max().item<double>(), 1e-12);
}

TEST(Sinkhorn, TwoNodesCanOnlyPointToEachOther) {
  const auto matrix = nn::log_sinkhorn(make_tensor({2, 2}, {5, 1, 2, 7}), 10).exp();
  EXPECT_THAT(numbers(matrix), ElementsAre(DoubleNear(0, 1e-9), DoubleNear(1, 1e-9),
                                           DoubleNear(1, 1e-9), DoubleNear(0, 1e-9)));
}

TEST(Sinkhorn, NoiseComesFromTheStreamGiven) {
  const auto scores = make_tensor({3, 3}, {0, 0.1, 0.2, 0.3, 0, 0.1, 0.2, 0.1, 0});
  ops::Stream one(4), same(4), other(5);
  const auto noisy = numbers(nn::log_sinkhorn(scores, 10, &one));
  EXPECT_EQ(numbers(nn::log_sinkhorn(scores, 10, &same)), noisy);
  EXPECT_NE(numbers(nn::log_sinkhorn(scores, 10, &other)), noisy);
}

TEST(Postprocess, SoftValuesAreProbabilities) {
  const auto half = make_tensor({1, 2}, {0, std::log(3)});
  EXPECT_THAT(numbers(nn::soft_value(output("x", node, scalar), half, 25)),
              ElementsAre(0, std::log(3)));
  EXPECT_THAT(numbers(nn::soft_value(output("x", node, mask), half, 25)),
              ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.75, 1e-12)));
  for (const auto type : {mask_one, categorical, pointer}) {
    EXPECT_THAT(numbers(nn::soft_value(output("x", node, type), half, 25)),
                ElementsAre(DoubleNear(0.25, 1e-12), DoubleNear(0.75, 1e-12)));
  }
}

TEST(Postprocess, HardValuesAreDecidedAndPassNoGradient) {
  auto logits = make_tensor({2, 3}, {-1, 0, 2, 5, 4, 3}).requires_grad_();
  const auto hard = [&](clrs::Type type) {
    const auto value = nn::hard_value(output("x", node, type), logits, 25);
    EXPECT_FALSE(value.requires_grad());
    return numbers(value);
  };
  EXPECT_THAT(hard(scalar), ElementsAre(-1, 0, 2, 5, 4, 3));
  EXPECT_THAT(hard(mask), ElementsAre(0, 0, 1, 1, 1, 1));
  EXPECT_THAT(hard(mask_one), ElementsAre(0, 0, 1, 1, 0, 0));
  EXPECT_THAT(hard(pointer), ElementsAre(2, 0));
}

TEST(Postprocess, AHardPermutationIsAPermutationMatrix) {
  // The cycle 0 -> 2 -> 1 -> 0 is by far the likeliest.
  const auto logits = make_tensor({1, 3, 3}, {0, 0, 5, 5, 0, 0, 0, 5, 0});
  EXPECT_THAT(
      numbers(nn::hard_value(output("x", node, clrs::Type::PermutationPointer), logits, 50)),
      ElementsAre(0, 0, 1, 1, 0, 0, 0, 1, 0));
}

}  // namespace
}  // namespace npq::test
