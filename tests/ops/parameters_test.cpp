#include "npq/ops/parameter_store.h"

#include <gmock/gmock.h>

#include <cmath>

#include "npq/ops/stream.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_numbers.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

TEST(Initialise, DrawsWeightsTruncatedAtTwoDeviationsWithoutRescaling) {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "layer", 100, 400);
  const auto weights = numbers(ops::initialise(specs, 1, at::kDouble).at("layer.w"));
  EXPECT_THAT(weights, Each(AllOf(Ge(-0.2), Le(0.2))));
  double sum = 0, squares = 0;
  for (const double w : weights) sum += w, squares += w * w;
  EXPECT_NEAR(sum / 40000, 0, 4 * 0.088 / 200);
  EXPECT_NEAR(std::sqrt(squares / 40000), 0.08796, 0.0015);  // 0.8796 / sqrt(100)
}

TEST(Initialise, SetsBiasesScalesAndOffsets) {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "plain", 2, 1);
  ops::add_linear(specs, "gate", 2, 1, -3);
  ops::add_layer_norm(specs, "ln", 2);
  const auto store = ops::initialise(specs, 1, at::kFloat);
  EXPECT_THAT(numbers(store.at("plain.b")), ElementsAre(0));
  EXPECT_THAT(numbers(store.at("gate.b")), ElementsAre(-3));
  EXPECT_THAT(numbers(store.at("ln.scale")), ElementsAre(1, 1));
  EXPECT_THAT(numbers(store.at("ln.offset")), ElementsAre(0, 0));
}

TEST(Initialise, AParameterMoreOrAnotherOrderChangesNoOther) {
  ops::ParameterSpecs few, many;
  ops::add_linear(few, "a", 3, 3);
  ops::add_linear(many, "b", 5, 2);
  ops::add_linear(many, "a", 3, 3);
  EXPECT_EQ(numbers(ops::initialise(few, 7, at::kDouble).at("a.w")),
            numbers(ops::initialise(many, 7, at::kDouble).at("a.w")));
  EXPECT_NE(numbers(ops::initialise(few, 7, at::kDouble).at("a.w")),
            numbers(ops::initialise(few, 8, at::kDouble).at("a.w")));
}

TEST(ParameterStore, KeepsTheOrderAndCountsNumbers) {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "z", 2, 3);
  ops::add_linear(specs, "a", 1, 1);
  const auto store = ops::initialise(specs, 1, at::kDouble);
  std::vector<std::string> names;
  for (const auto& [name, value] : store) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("z.w", "z.b", "a.w", "a.b"));
  EXPECT_EQ(store.elements(), 11);
  EXPECT_EQ(ops::count_elements(specs, "z."), 9);
}

TEST(ParameterStore, RefusesANameTwiceAndNamesWhatIsMissing) {
  ops::ParameterStore store;
  store.add("a", make_tensor({1}, {1}));
  EXPECT_THAT(error_text([&] { store.add("a", make_tensor({1}, {1})); }),
              HasSubstr("'a' was given twice"));
  EXPECT_THAT(error_text([&] { store.at("b"); }), HasSubstr("no parameter 'b' among the 1 given"));
}

TEST(ParameterStore, AParameterWithoutGradientHasGradientZero) {
  ops::ParameterStore store;
  store.add("a", make_tensor({2}, {1, 2}));
  EXPECT_THAT(numbers(store.grad("a")), ElementsAre(0, 0));
  store.at("a").sum().backward();
  EXPECT_THAT(numbers(store.grad("a")), ElementsAre(1, 1));
  store.zero_grad();
  EXPECT_THAT(numbers(store.grad("a")), ElementsAre(0, 0));
}

TEST(DerivedSeeds, DifferInEveryPartOfTheirName) {
  EXPECT_NE(ops::derive_seed(1, "init"), ops::derive_seed(2, "init"));
  EXPECT_NE(ops::derive_seed(1, "init"), ops::derive_seed(1, "data"));
  EXPECT_NE(ops::derive_seed(1, "step", 0), ops::derive_seed(1, "step", 1));
  EXPECT_EQ(ops::derive_seed(1, "step", 3), ops::derive_seed(1, "step", 3));
}

TEST(Stream, IsTheMersenneTwisterOfTheStandard) {
  // The standard fixes the 10000th output of the default seed 5489.
  ops::Stream stream(5489);
  double last = 0;
  for (int i = 0; i < 10000; ++i) last = stream.uniform();
  EXPECT_EQ(last, static_cast<double>(9981545732273789042ull >> 11) * 0x1p-53);
}

}  // namespace
}  // namespace npq::test
