// Sparse products and attention over edges, which peptide networks are made of.
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>

#include "npq/ops/sparse/edge_attention_op.h"
#include "npq/ops/sparse/sparse_matrix.h"
#include "npq/ops/threads.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"
#include "tests/support/torch_gradient.h"
#include "tests/support/torch_numbers.h"

namespace npq::ops {
namespace {

using npq::test::numbers;
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
  EXPECT_THAT(npq::test::error_text([&] {
                sparse* matrix({1, 2, 3}, 3);
              }),
              HasSubstr("with 2 columns cannot multiply [3, 1]"));
}

TEST(SparseMatrix, TheNumberOfThreadsDoesNotShow) {
  std::vector<SparseEntry> entries;
  for (std::int64_t k = 0; k < 20000; ++k)
    entries.push_back({k * 7919 % 3000, k * 104729 % 500, 0.1});
  const SparseMatrix sparse(3000, 500, entries);
  const auto x = npq::test::normal({500, 17}, 1, 1);
  ops::set_kernel_threads(1);
  const auto one = numbers(sparse * x);
  ops::set_kernel_threads(2);
  EXPECT_EQ(numbers(sparse * x), one);
  ops::set_kernel_threads(0);
}

/// Chains of so many nodes, side by side, every node with an edge to itself.
std::shared_ptr<const kernels::EdgeLists> chains(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> sender, receiver;
  std::int64_t first = 0;
  for (const auto size : sizes) {
    for (std::int64_t i = first; i < first + size; ++i) {
      for (const auto j : {i - 1, i, i + 1}) {
        if (j < first || j >= first + size) continue;
        sender.push_back(j);
        receiver.push_back(i);
      }
    }
    first += size;
  }
  return std::make_shared<const kernels::EdgeLists>(kernels::list_edges(first, sender, receiver));
}

/// GATv2's attention by the book: every pair of nodes, those without an edge masked out.
at::Tensor dense_attention(const kernels::EdgeLists& edges, const std::vector<at::Tensor>& in) {
  const auto n = edges.nodes();
  auto mask = at::full({n, n}, -1e30, at::kDouble);
  for (std::int64_t i = 0; i < n; ++i)
    for (auto e = edges.begin[i]; e < edges.begin[i + 1]; ++e) mask[i][edges.sender[e]].fill_(0);
  const auto pairs = at::leaky_relu(in[0].unsqueeze(0) + in[1].unsqueeze(1), 0.2);  // [i, j, D]
  return ((pairs * in[2]).sum(-1) + mask).softmax(1).matmul(in[0]);
}

TEST(EdgeAttention, IsGatv2sAttentionOverTheEdges) {
  const auto edges = chains({5, 1, 70});
  const std::vector<at::Tensor> inputs = {npq::test::normal({76, 9}, 1, 1),
                                          npq::test::normal({76, 9}, 1, 2),
                                          npq::test::normal({9}, 1, 3)};
  const auto distances =
      npq::test::compare([&](const auto& in) { return edge_attention(edges, in[0], in[1], in[2]); },
                         [&](const auto& in) { return dense_attention(*edges, in); }, inputs);
  EXPECT_LE(distances.result, 1e-6);  // float32 against double
  EXPECT_LE(distances.worst_gradient(), 1e-5);
}

TEST(EdgeAttention, TheNumberOfThreadsDoesNotShow) {
  const auto edges = chains({300});
  const auto run = [&](int threads) {
    ops::set_kernel_threads(threads);
    const auto x = npq::test::normal({300, 9}, 1, 1).requires_grad_();
    const auto att = npq::test::normal({9}, 1, 3).requires_grad_();
    edge_attention(edges, x, x * 2, att).square().sum().backward();
    ops::set_kernel_threads(0);
    return std::pair(numbers(x.grad()), numbers(att.grad()));
  };
  EXPECT_EQ(run(1), run(3));
}

}  // namespace
}  // namespace npq::ops
