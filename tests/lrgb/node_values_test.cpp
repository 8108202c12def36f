#include "npq/lrgb/node_values.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace npq::lrgb {
namespace {

/// Two atoms: the first is the sum of rows 0 and 2 of the table, the second row 1.
NodeValues two_atoms(const at::Tensor& table) {
  return {ops::SparseMatrix(2, 3, {{0, 0}, {0, 2}, {1, 1}}), table};
}

at::Tensor matrix(std::initializer_list<double> values) {
  return at::tensor(at::ArrayRef<double>(values.begin(), values.size())).view({-1, 2});
}

TEST(NodeValues, MultiplyTheTableInsteadOfTheAtoms) {
  const auto x = two_atoms(matrix({1, 2, 3, 4, 5, 6}));
  const auto weight = matrix({0, 1, 1, 0});  // exchanges both columns
  EXPECT_TRUE(x.dense().equal(matrix({6, 8, 3, 4})));
  EXPECT_TRUE(x.times(weight).equal(matrix({8, 6, 4, 3})));
  ops::Linear linear;
  linear.weight = weight;
  linear.bias = at::tensor({100.0, 200.0});
  // Once for every atom, however many rows of the table it is made of.
  EXPECT_TRUE(x.through(linear).equal(matrix({108, 206, 104, 203})));
}

TEST(NodeValues, BehindTheFirstLayerAreWhatTheyAre) {
  const NodeValues x = matrix({1, 2, 3, 4});
  EXPECT_TRUE(x.times(at::eye(2, at::kDouble)).equal(x.dense()));
}

TEST(NodeValues, PassTheirGradientToTheTable) {
  auto table = matrix({1, 2, 3, 4, 5, 6}).requires_grad_(true);
  two_atoms(table).times(matrix({1, 10, 0, 100})).sum().backward();
  EXPECT_TRUE(table.grad().equal(matrix({11, 100, 11, 100, 11, 100})));
}

}  // namespace
}  // namespace npq::lrgb
