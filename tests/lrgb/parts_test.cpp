// Norms, joined graphs: the parts of a peptide network, by hand.
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>

#include <cmath>

#include "npq/lrgb/initial.h"
#include "npq/lrgb/norms.h"
#include "npq/ops/threads.h"
#include "tests/lrgb/small_graphs.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"
#include "tests/support/torch_gradient.h"
#include "tests/support/torch_numbers.h"

namespace npq::lrgb {
namespace {

using npq::test::chain_graph;
using npq::test::joined;
using npq::test::numbers;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

at::Tensor matrix(std::vector<double> values, std::int64_t rows) {
  return at::tensor(values, at::kDouble).view({rows, -1}).clone();
}

TEST(BatchNorm, UsesTheBatchInTrainingAndRemembersATenthOfIt) {
  // Column {1, 3}: mean 2, biased variance 1, unbiased 2.
  BatchStatistics seen{matrix({0}, 1)[0], matrix({1}, 1)[0]};
  const auto scale = matrix({2}, 1)[0], offset = matrix({1}, 1)[0];
  const auto y = batch_norm(matrix({1, 3}, 2), scale, offset, Mode::Train, seen);
  const double unit = 1 / std::sqrt(1 + 1e-5);
  EXPECT_THAT(numbers(y),
              ElementsAre(DoubleNear(1 - 2 * unit, 1e-15), DoubleNear(1 + 2 * unit, 1e-15)));
  EXPECT_THAT(numbers(seen.mean), ElementsAre(DoubleNear(0.2, 1e-15)));
  EXPECT_THAT(numbers(seen.variance), ElementsAre(DoubleNear(1.1, 1e-15)));
  const auto later = batch_norm(matrix({0.2}, 1), scale, offset, Mode::Evaluate, seen);
  EXPECT_THAT(numbers(later), ElementsAre(1));
}

TEST(FusedNorm, IsBatchNormReluAndUnitRowsTogether) {
  // 300 rows: more than one block. Scales around 1, offsets around 0.
  const std::vector<at::Tensor> inputs = {npq::test::normal({300, 5}, 2, 1),
                                          npq::test::normal({5}, 0.3, 2) + 1,
                                          npq::test::normal({5}, 0.3, 3)};
  const auto fresh = [](const at::Tensor& like) {
    return BatchStatistics{like.detach() * 0, like.detach() * 0 + 1};
  };
  BatchStatistics seen[2];
  const auto distances = npq::test::compare(
      [&](const auto& in) {
        seen[0] = fresh(in[2]);
        return norm_relu_unit(in[0], in[1], in[2], seen[0]);
      },
      [&](const auto& in) {
        seen[1] = fresh(in[2]);
        return unit_rows(batch_norm(in[0], in[1], in[2], Mode::Train, seen[1]).relu());
      },
      inputs);
  EXPECT_LE(distances.result, 1e-6);  // float32 against double
  EXPECT_LE(distances.worst_gradient(), 1e-5);
  EXPECT_LE((seen[0].mean - seen[1].mean).abs().max().item<double>(), 1e-6);
  EXPECT_LE((seen[0].variance - seen[1].variance).abs().max().item<double>(), 1e-6);
}

TEST(FusedNorm, TheNumberOfThreadsDoesNotShow) {
  const auto run = [](int threads) {
    ops::set_kernel_threads(threads);
    const auto x = npq::test::normal({1000, 7}, 1, 1).requires_grad_();
    const auto ones = npq::test::normal({7}, 0, 1) + 1;
    BatchStatistics seen{ones * 0, ones};
    const auto y = norm_relu_unit(x, ones, ones * 0, seen);
    (y * npq::test::normal({1000, 7}, 1, 2)).sum().backward();
    ops::set_kernel_threads(0);
    return std::pair(numbers(y), numbers(x.grad()));
  };
  EXPECT_EQ(run(1), run(3));
}

TEST(UnitRows, ARowOfZerosStaysAndPassesNoGradient) {
  const auto x = matrix({3, 4, 0, 0}, 2).requires_grad_();
  const auto y = unit_rows(x);
  EXPECT_THAT(numbers(y), ElementsAre(0.6, 0.8, 0, 0));
  y.sum().backward();
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST(Graphs, AChainOfTwoAtomsHasHalfOfEachNeighbour) {
  // Both have degree 2 with their loop: 1 / sqrt(2 * 2).
  const auto graphs = joined({chain_graph(2), chain_graph(1)}, Base::Gcn);
  EXPECT_THAT(numbers(graphs.neighbours * matrix({1, 3, 8}, 3)), ElementsAre(2, 2, 8));
  EXPECT_THAT(numbers(graphs.means * matrix({1, 3, 8}, 3)), ElementsAre(2, 8));
  EXPECT_THAT(numbers(graphs.padded * matrix({1, 3, 8}, 3)), ElementsAre(1, 3, 8, 0));
}

TEST(Graphs, StandOnShelvesOfSixteenTheLargestFirst) {
  std::vector<peptides::Graph> chains;
  for (int nodes = 1; nodes <= 18; ++nodes) chains.push_back(chain_graph(nodes));
  const auto graphs = joined(chains, Base::Gcn);
  ASSERT_EQ(graphs.shelves.size(), 2u);
  EXPECT_EQ(graphs.shelves[0].graphs, 16);
  EXPECT_EQ(graphs.shelves[0].largest, 18);
  EXPECT_EQ(graphs.shelves[1].largest, 2);
  EXPECT_EQ(graphs.shelves[1].first, 16 * 18);
  EXPECT_EQ(graphs.shelves[1].mask.sum().item<int>(), 2 + 1);
  // The node of the one-atom chain is the first of all; it stands in the last row but one.
  std::vector<double> first(18 * 19 / 2, 0);
  first[0] = 1;
  const auto padded = numbers(graphs.padded * matrix(first, 18 * 19 / 2));
  ASSERT_EQ(padded.size(), 16u * 18 + 4);
  EXPECT_EQ(padded[padded.size() - 2], 1);
  // And back.
  EXPECT_THAT(numbers(graphs.padded.transposed() * (graphs.padded * matrix(first, 18 * 19 / 2))),
              ::testing::ElementsAreArray(first));
}

TEST(Graphs, NeighboursCountByTheDegreesOfBothEnds) {
  // Degrees with loops: 2, 3, 2.
  const auto graphs = joined({chain_graph(3)}, Base::Gcn);
  const double side = 1 / std::sqrt(6.0);
  EXPECT_THAT(numbers(graphs.neighbours * matrix({1, 0, 0}, 3)),
              ElementsAre(DoubleNear(0.5, 1e-15), DoubleNear(side, 1e-15), 0));
  EXPECT_THAT(
      numbers(graphs.neighbours * matrix({0, 1, 0}, 3)),
      ElementsAre(DoubleNear(side, 1e-15), DoubleNear(1.0 / 3, 1e-15), DoubleNear(side, 1e-15)));
}

TEST(Graphs, CostsFollowTheEdgesNotTheSquareOfTheNodes) {
  for (const int atoms : {10, 1000}) {
    const auto graphs = joined({chain_graph(atoms)}, Base::Gcn);
    EXPECT_EQ(graphs.neighbours.entries(), 2 * (atoms - 1) + atoms);
    EXPECT_EQ(joined({chain_graph(atoms)}, Base::Gatv2).heard->edges(), 3 * atoms - 2);
  }
}

TEST(Initial, TheBoundsAreThoseOfTheAuthorsPrograms) {
  const auto bound = [](const ModelOptions& options, const std::string& name) {
    for (const auto& spec : Model::parameters(options))
      if (spec.name == name) return spec.bound;
    ADD_FAILURE() << "no parameter " << name;
    return 0.0;
  };
  using npq::test::small_options;
  const auto plain = small_options(Base::Gcn, Layer::Plain);  // D is 6
  EXPECT_DOUBLE_EQ(bound(plain, "encoder/atom.0"), std::sqrt(6.0 / (119 + 6)));
  EXPECT_DOUBLE_EQ(bound(plain, "layer/0/w"), std::sqrt(6.0 / 12));
  EXPECT_DOUBLE_EQ(bound(plain, "head.w"), std::sqrt(2.0) * std::sqrt(6.0 / 17));
  EXPECT_DOUBLE_EQ(bound(small_options(Base::Gatv2, Layer::Plain), "layer/0/att"),
                   std::sqrt(6.0 / 7));
  const auto gine = small_options(Base::Gine, Layer::Plain);
  EXPECT_DOUBLE_EQ(bound(gine, "layer/0/mlp0.w"), 1 / std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(bound(gine, "head.b"), 1 / std::sqrt(6.0));
  const auto remembering = small_options(Base::Gine, Layer::Full, "npq_w");  // Z is 4
  EXPECT_DOUBLE_EQ(bound(remembering, "layer/0/mlp0.w"), std::sqrt(2.0) * std::sqrt(6.0 / 12));
  EXPECT_DOUBLE_EQ(bound(remembering, "memory/v.w"), std::sqrt(2.0) * std::sqrt(6.0 / 8));
  EXPECT_DOUBLE_EQ(bound(remembering, "head.b"), 0);
}

TEST(Initial, NumbersLieWithinTheirBoundAndFillIt) {
  const auto store = draw({{"table", {100, 400}, 0, 0.25}, {"ones", {3}, 1, 0}}, 1, at::kDouble);
  EXPECT_THAT(numbers(store.at("ones")), ElementsAre(1, 1, 1));
  const auto table = numbers(store.at("table"));
  double sum = 0, squares = 0;
  for (const double w : table) {
    EXPECT_LE(std::abs(w), 0.25);
    sum += w;
    squares += w * w;
  }
  EXPECT_NEAR(sum / 40000, 0, 4 * 0.1443 / 200);            // four deviations of the mean
  EXPECT_NEAR(std::sqrt(squares / 40000), 0.14434, 0.002);  // 0.25 / sqrt(3)
}

TEST(Initial, AParameterMoreChangesNoOther) {
  const InitialSpec a{"a", {5}, 0, 1}, b{"b", {5}, 0, 1};
  EXPECT_EQ(numbers(draw({a}, 7, at::kDouble).at("a")),
            numbers(draw({b, a}, 7, at::kDouble).at("a")));
  EXPECT_NE(numbers(draw({a}, 7, at::kDouble).at("a")), numbers(draw({a}, 8, at::kDouble).at("a")));
}

}  // namespace
}  // namespace npq::lrgb
