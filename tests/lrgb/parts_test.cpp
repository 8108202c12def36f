// Sparse products, norms, joined graphs: the parts of a peptide network, by hand.
#include <ATen/TensorOperators.h>
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

using npq::testing::chain_graph;
using npq::testing::joined;
using npq::testing::numbers;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

at::Tensor matrix(std::vector<double> values, std::int64_t rows) {
  return at::tensor(values, at::kDouble).view({rows, -1}).clone();
}

TEST(SparseMatrix, MultipliesLikeTheMatrixItStandsFor) {
  // [0 2; 1 0; 0 0] with the entry at (0, 1) given as 0.5 + 1.5.
  const SparseMatrix sparse(3, 2, {{0, 1, 0.5}, {1, 0}, {0, 1, 1.5}});
  EXPECT_THAT(numbers(sparse * matrix({1, 2, 3, 4}, 2)), ElementsAre(6, 8, 1, 2, 0, 0));
  EXPECT_THAT(numbers(sparse.transposed() * matrix({1, 2, 3}, 3)), ElementsAre(2, 2));
  EXPECT_EQ(sparse.entries(), 3);
}

TEST(SparseMatrix, ItsGradientIsTheTransposedProduct) {
  const SparseMatrix sparse(3, 2, {{0, 1, 2}, {1, 0}});
  const auto x = matrix({1, 2, 3, 4}, 2).requires_grad_();
  (sparse * x * matrix({1, 10, 100, 1000, 5, 5}, 3)).sum().backward();
  EXPECT_THAT(numbers(x.grad()), ElementsAre(100, 1000, 2, 20));
}

TEST(SparseMatrix, AnotherNumberOfRowsIsAnError) {
  const SparseMatrix sparse(3, 2, {});
  EXPECT_THAT(npq::testing::error_text([&] {
                sparse* matrix({1, 2, 3}, 3);
              }),
              HasSubstr("with 2 columns cannot multiply [3, 1]"));
}

TEST(SparseMatrix, TheNumberOfThreadsDoesNotShow) {
  std::vector<SparseEntry> entries;
  for (std::int64_t k = 0; k < 20000; ++k)
    entries.push_back({k * 7919 % 3000, k * 104729 % 500, 0.1});
  const SparseMatrix sparse(3000, 500, entries);
  const auto x = npq::testing::normal({500, 17}, 1, 1);
  ops::set_kernel_threads(1);
  const auto one = numbers(sparse * x);
  ops::set_kernel_threads(2);
  EXPECT_EQ(numbers(sparse * x), one);
  ops::set_kernel_threads(0);
}

TEST(SparseMatrix, RowMaximaOfRowsWithoutEntriesAreZero) {
  const SparseMatrix sparse(3, 3, {{0, 0}, {0, 2}, {2, 1}});
  EXPECT_THAT(numbers(sparse.row_maxima(matrix({-5, -7, -6}, 3))), ElementsAre(-5, 0, -7));
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

TEST(Graphs, CostsFollowTheEdgesNotTheSquareOfTheNodes) {
  for (const int atoms : {10, 1000}) {
    const auto graphs = joined({chain_graph(atoms)}, Base::Gcn);
    EXPECT_EQ(graphs.neighbours.entries(), 2 * (atoms - 1) + atoms);
    EXPECT_EQ(joined({chain_graph(atoms)}, Base::Gatv2).senders.entries(), 3 * atoms - 2);
  }
}

TEST(Initial, TheBoundsAreThoseOfTheAuthorsPrograms) {
  const auto bound = [](const ModelOptions& options, const std::string& name) {
    for (const auto& spec : Model::parameters(options))
      if (spec.name == name) return spec.value;
    ADD_FAILURE() << "no parameter " << name;
    return 0.0;
  };
  using npq::testing::small_options;
  const auto plain = small_options(Base::Gcn, Layer::Plain);  // D is 6
  EXPECT_DOUBLE_EQ(bound(plain, "encoder/atom.0"), std::sqrt(6.0 / (119 + 6)));
  EXPECT_DOUBLE_EQ(bound(plain, "layer/0/w"), std::sqrt(6.0 / 12));
  EXPECT_DOUBLE_EQ(bound(plain, "head.w"), std::sqrt(2.0) * std::sqrt(6.0 / 17));
  EXPECT_DOUBLE_EQ(bound(plain, "layer/0/bn.w"), 1);
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

}  // namespace
}  // namespace npq::lrgb
