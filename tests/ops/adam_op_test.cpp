#include "npq/ops/adam_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using test::normal;

/// Adam with clipping in float64, as its equations are written.
struct Composed {
  at::Tensor value, m, v;

  void step(const at::Tensor& gradient, const AdamNumbers& n, double norm) {
    const auto g = gradient.to(at::kDouble) * (n.limit > 0 && norm >= n.limit ? n.limit / norm : 1);
    m = n.b1 * m + (1 - n.b1) * g;
    v = n.b2 * v + (1 - n.b2) * g * g;
    const double t = double(n.updates);
    value = value -
            n.rate * (m / (1 - std::pow(n.b1, t))) / ((v / (1 - std::pow(n.b2, t))).sqrt() + n.eps);
  }
};

TEST(FusedAdam, FollowsTheEquationsOverSeveralStepsWithAndWithoutClipping) {
  for (const double limit : {0.0, 2.0}) {
    const auto start = normal({37, 11}, 1, 1);
    AdamTensors p{start.clone(), {}, at::zeros_like(start), at::zeros_like(start)};
    Composed c{start.to(at::kDouble), at::zeros_like(start).to(at::kDouble),
               at::zeros_like(start).to(at::kDouble)};
    for (int t = 1; t <= 5; ++t) {
      const AdamNumbers n{1e-2, 0.9, 0.999, 1e-8, t, limit};
      p.gradient = normal({37, 11}, 1, 10 + t);
      const double norm = fused_adam({&p, 1}, n);
      EXPECT_NEAR(norm, p.gradient.to(at::kDouble).norm().item<double>(), 1e-9);
      c.step(p.gradient, n, norm);
    }
    // Some float32 roundings of numbers near 1.
    EXPECT_LT((p.value - c.value).abs().max().item<double>(), 1e-6);
  }
}

TEST(FusedAdam, LeavesEverythingAsItWasWhenTheGradientIsNotFinite) {
  const auto start = normal({4}, 1, 1);
  AdamTensors p{start.clone(), normal({4}, 1, 2), at::zeros_like(start), at::zeros_like(start)};
  p.gradient[2] = std::nan("");
  EXPECT_TRUE(std::isnan(fused_adam({&p, 1}, {1e-2, 0.9, 0.999, 1e-8, 1, 1.0})));
  EXPECT_TRUE(p.value.equal(start));
}

TEST(FusedAdam, ComparesShapes) {
  const auto x = normal({4}, 1, 1);
  const AdamTensors p{x, normal({5}, 1, 2), x.clone(), x.clone()};
  EXPECT_THAT(test::error_text([&] {
                fused_adam({&p, 1}, {1e-2, 0.9, 0.999, 1e-8, 1});
              }),
              ::testing::AllOf(::testing::HasSubstr("[5]"), ::testing::HasSubstr("[4]")));
}

}  // namespace
}  // namespace npq::ops
