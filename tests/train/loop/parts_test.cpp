#include "npq/train/loop/parts.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>

namespace npq::train {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> sizes(std::int64_t samples) {
  std::vector<std::int64_t> found;
  std::int64_t next = 0;
  for (const auto& part : parts_of(samples)) {
    EXPECT_EQ(part.first, next);
    EXPECT_EQ(part.index, static_cast<std::int64_t>(found.size()));
    next += part.size;
    found.push_back(part.size);
  }
  EXPECT_EQ(next, samples);
  return found;
}

TEST(Parts, AreTwoAtLeastAndEightAtMost) {
  EXPECT_THAT(sizes(1), ElementsAre(1));
  EXPECT_THAT(sizes(2), ElementsAre(1, 1));
  EXPECT_THAT(sizes(15), ElementsAre(7, 8));
  EXPECT_THAT(sizes(256), testing::SizeIs(8));
  EXPECT_THAT(sizes(1000), ElementsAre(125, 125, 125, 125, 125, 125, 125, 125));
}

TEST(Parts, AreSoManyFromTheFewestSamplesThatMakeThem) {
  for (std::size_t parts = 2; parts <= 8; ++parts) {
    const auto fewest = samples_for(static_cast<std::int64_t>(parts));
    EXPECT_EQ(parts_of(fewest).size(), parts);
    EXPECT_LT(parts_of(fewest - 1).size(), parts);
  }
}

/// Numbers of which float32 forgets what is small beside 2^24: the sum tells its order.
PartSums term(float gradient, double loss) {
  return {.losses = {{"hint/d", loss}},
          .gradients = {at::full({3}, gradient), gradient > 2 ? at::full({1}, 7.0f) : at::Tensor(),
                        at::Tensor()}};
}

TEST(Parts, AreAddedAsATree) {
  constexpr float kLarge = 1 << 24;
  // (2^24 + 1) + (1 + 1) is 2^24 + 2; one by one it would stay 2^24.
  const auto sums = sum_of_parts({term(kLarge, 1), term(1, 2), term(1, 3), term(1, 4)});
  EXPECT_EQ(sums.gradients[0][2].item<float>(), kLarge + 2);
  EXPECT_EQ(sums.gradients[1][0].item<float>(), 7) << "one part alone has a gradient";
  EXPECT_FALSE(sums.gradients[2].defined());
  EXPECT_EQ(sums.losses.at("hint/d"), 10);
}

TEST(Parts, ThatShareAGradientLeaveItAsItIs) {
  const auto shared = at::full({2}, 1.0f);
  PartSums first{.losses = {}, .gradients = {shared, shared}}, second = first;
  const auto sums = sum_of_parts({first, second});
  EXPECT_EQ(sums.gradients[1][0].item<float>(), 2);
  EXPECT_EQ(shared[0].item<float>(), 1);
}

}  // namespace
}  // namespace npq::train
