// Adam at every level, against the plain loop.
#include <gmock/gmock.h>

#include "npq/kernels/adam/adam.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/numbers.h"

namespace npq::kernels {
namespace {

using test::Guarded;

struct Parameter {
  Parameter(std::size_t size, std::mt19937& random)
      : value(Guarded<float>::normal(size, 1, random)),
        gradient(Guarded<float>::normal(size, 1, random)),
        m(Guarded<float>::normal(size, 0.1, random)),
        v(Guarded<float>::normal(size, 0.1, random)) {
    for (auto& x : v) x = std::abs(x);
  }
  AdamSpan span(bool with_gradient = true) {
    return {value.data(), with_gradient ? gradient.data() : nullptr, m.data(), v.data(),
            static_cast<std::int64_t>(value.size())};
  }
  bool intact() const { return value.intact() && m.intact() && v.intact(); }
  Guarded<float> value, gradient, m, v;
};

constexpr AdamStep kStep = {1e-3f, 0.9f, 0.999f, 1e-8f, 0.1f, 1e-3f, 10.0f, 1000.0f, 0.5f};

std::vector<std::pair<std::string, const AdamLoops*>> levels() {
  std::vector<std::pair<std::string, const AdamLoops*>> all;
  test::for_each_level(
      kAdamAvx2, kAdamWide, kAdamAvx512,
      [&](const char* name, const AdamLoops& loops) { all.emplace_back(name, &loops); });
  return all;
}

TEST(AdamLevels, UpdateAsTheReferenceDoes) {
  for (const int size : test::kAwkwardSizes) {
    for (const auto& [name, loops] : levels()) {
      for (const bool with_gradient : {true, false}) {
        std::mt19937 random(size);
        Parameter expected(size, random);
        auto found = expected;
        adam_update_reference(expected.span(with_gradient), kStep);
        const auto span = found.span(with_gradient);
        adam_update_with(*loops, &span, 1, kStep, 1);
        // One rounding less where a product and a sum are fused.
        EXPECT_LT(relative_distance(found.value, expected.value), 1e-7) << name << size;
        EXPECT_LT(relative_distance(found.m, expected.m), 2e-7) << name << size;
        EXPECT_LT(relative_distance(found.v, expected.v), 2e-7) << name << size;
        EXPECT_TRUE(found.intact()) << name << size;
      }
    }
  }
}

TEST(AdamLevels, AddSquaresOfLargeAndSmallParametersInAnyNumberOfThreads) {
  std::mt19937 random(1);
  Parameter large(40000, random), small(3, random);
  const AdamSpan spans[] = {large.span(), small.span(), small.span(false)};
  double expected = 0;
  for (const float g : large.gradient) expected += double(g) * g;
  for (const float g : small.gradient) expected += double(g) * g;
  for (const auto& [name, loops] : levels()) {
    const double one = gradient_squares_with(*loops, spans, 3, 1);
    EXPECT_NEAR(one, expected, 1e-9 * expected) << name;
    for (const int threads : {2, 3})
      EXPECT_EQ(gradient_squares_with(*loops, spans, 3, threads), one);
  }
}

TEST(Adam, TheFirstStepMovesByTheRateAgainstTheGradientsSign) {
  float value[] = {5, 5}, gradient[] = {100, -0.01f}, m[] = {0, 0}, v[] = {0, 0};
  const AdamSpan span = {value, gradient, m, v, 2};
  const AdamStep first = {0.1f, 0.9f, 0.999f, 0, 0.1f, 1e-3f, 10, 1000, 1};
  adam_update(&span, 1, first, 1);
  EXPECT_NEAR(value[0], 4.9, 1e-5);
  EXPECT_NEAR(value[1], 5.1, 1e-5);
}

}  // namespace
}  // namespace npq::kernels
