// Numbers too small for a normal float count as 0 on every thread that computes.
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <gmock/gmock.h>

#include <array>
#include <thread>

#include "npq/kernels/jobs.h"
#include "npq/ops/threads.h"

namespace npq::ops {
namespace {

using ::testing::Each;

/// A quarter of something that is just large enough.
float tiny() {
  volatile float x = 1.5e-38f;
  return x / 4;
}

/// The same as a product of libtorch.
float tiny_product() {
  return at::mm(at::full({1, 1}, 1e-30f), at::full({1, 1}, 1e-10f)).item<float>();
}

TEST(TinyNumbers, CountAsZeroOnTheThreadThatSaysSoAndOnThoseItStarts) {
  std::array<float, 8> of_jobs{};
  std::array<float, 2> of_sides{}, of_products{};
  // On a thread of its own, whose pool of OpenMP begins with it: other tests keep their numbers.
  std::thread([&] {
    flush_tiny_numbers();
    kernels::run_jobs(4, 8, [&](int i) { of_jobs[i] = tiny(); });
    side_by_side(2, [&](std::size_t i) {
      of_sides[i] = tiny();
      of_products[i] = tiny_product();
    });
  }).join();
  EXPECT_THAT(of_jobs, Each(0.0f));
  EXPECT_THAT(of_sides, Each(0.0f));
  EXPECT_THAT(of_products, Each(0.0f));
  EXPECT_GT(tiny(), 0.0f);
  EXPECT_GT(tiny_product(), 0.0f);
}

}  // namespace
}  // namespace npq::ops
