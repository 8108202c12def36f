#include "npq/ops/blas.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/mm.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

TEST(Blas, EveryProductOfLibtorchIsOursAndRight) {
  struct Case {
    std::int64_t rows, depth, columns;
    bool left_transposed, right_transposed;
  };
  for (const auto& c : {Case{1, 3, 2, false, false}, Case{70, 128, 33, false, false},
                        Case{1000, 16, 128, false, true}, Case{128, 500, 64, true, false},
                        Case{65, 17, 40, true, true}}) {
    const auto left = c.left_transposed ? test::normal({c.depth, c.rows}, 1, 1).t()
                                        : test::normal({c.rows, c.depth}, 1, 1);
    const auto right = c.right_transposed ? test::normal({c.columns, c.depth}, 1, 2).t()
                                          : test::normal({c.depth, c.columns}, 1, 2);
    const auto before = blas_calls();
    const auto product = at::mm(left, right);
    EXPECT_GT(blas_calls(), before);
    const auto exact = at::mm(left.to(at::kDouble), right.to(at::kDouble));
    // A sum of `depth` terms of size 1, in any order.
    EXPECT_LT((product - exact).abs().max().item<double>(), 1e-6 * static_cast<double>(c.depth));
  }
}

TEST(Blas, GivesTheSameBitsOnAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  const auto left = test::normal({777, 128}, 1, 1), right = test::normal({128, 128}, 1, 2);
  const auto other = test::normal({777, 96}, 1, 3);
  at::set_num_threads(1);
  const auto one = at::mm(left, right), inner = at::mm(left.t(), other);
  for (const int threads : {2, 3}) {
    at::set_num_threads(threads);
    EXPECT_TRUE(one.equal(at::mm(left, right))) << threads;
    EXPECT_TRUE(inner.equal(at::mm(left.t(), other))) << threads;
  }
  at::set_num_threads(before);
}

TEST(Blas, TheSymbolBelongsToThisProgram) {
  const void* symbol = dlsym(RTLD_DEFAULT, "sgemm_");
  ASSERT_NE(symbol, nullptr);
  Dl_info ours{}, program{};
  ASSERT_NE(dladdr(symbol, &ours), 0);
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&blas_calls), &program), 0);
  EXPECT_EQ(ours.dli_fbase, program.dli_fbase) << ours.dli_fname;
}

}  // namespace
}  // namespace npq::ops
