#include "npq/train/loop/adam.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/error_text.h"
#include "tests/support/torch_numbers.h"

namespace npq::test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ops::ParameterStore two_parameters() {
  ops::ParameterStore store;
  store.add("a", make_tensor({2}, {1, 2}));
  store.add("b", make_tensor({1}, {3}));
  return store;
}

void set_grad(const ops::ParameterStore& store, const std::string& name,
              const std::vector<double>& values) {
  const auto& value = store.at(name);
  value.mutable_grad() = make_tensor(value.sizes().vec(), values);
}

TEST(Adam, TheFirstUpdateMovesEveryParameterByTheLearningRateAgainstItsGradient) {
  const auto store = two_parameters();
  train::Adam adam(store, {.learning_rate = 0.1});
  set_grad(store, "a", {5, -0.01});
  adam.step();
  EXPECT_THAT(numbers(store.at("a")), ElementsAre(DoubleNear(0.9, 1e-6), DoubleNear(2.1, 1e-6)));
  EXPECT_THAT(numbers(store.at("b")), ElementsAre(3));  // no gradient, no move
}

TEST(Adam, TheSecondUpdateWeighsOldAndNewGradientsAsWritten) {
  const auto store = two_parameters();
  train::Adam adam(store, {.learning_rate = 1, .b1 = 0.5, .b2 = 0.75, .eps = 1e-8});
  set_grad(store, "b", {4});
  adam.step();  // b = 3 - 1 = 2; m = 2, v = 4
  set_grad(store, "b", {0});
  adam.step();  // m = 1, v = 3; corrected by 1 - 0.25 and 1 - 0.5625
  const double expected = 2 - (1 / 0.75) / std::sqrt(3 / 0.4375);
  EXPECT_THAT(numbers(store.at("b")), ElementsAre(DoubleNear(expected, 1e-7)));
}

TEST(Adam, AnUpdateWithALimitIsOneWithClippedGradientsInDoubleAndInTheFusedKernel) {
  for (const auto dtype : {at::kDouble, at::kFloat}) {
    ops::ParameterStore store;
    store.add("a", make_tensor({2}, {1, 2}).to(dtype));
    train::Adam adam(store, {.learning_rate = 1, .b1 = 0.5, .b2 = 0.75, .eps = 1});
    store.at("a").mutable_grad() = make_tensor({2}, {3, 4}).to(dtype);
    EXPECT_NEAR(adam.step(/*limit=*/2.5), 5, 1e-6);
    // Clipped to (1.5, 2): m / (1 - b1) = g, v / (1 - b2) = g^2, so g / (|g| + 1) is taken off.
    const auto a = numbers(store.at("a").to(at::kDouble));
    EXPECT_THAT(a, ElementsAre(DoubleNear(1 - 0.6, 1e-6), DoubleNear(2 - 2 / 3.0, 1e-6)));
  }
}

TEST(Adam, AGradientThatIsNotFiniteLeavesParametersAndStateAsTheyWere) {
  for (const auto dtype : {at::kDouble, at::kFloat}) {
    ops::ParameterStore store;
    store.add("a", make_tensor({2}, {1, 2}).to(dtype));
    train::Adam adam(store, {});
    store.at("a").mutable_grad() = make_tensor({2}, {1, std::nan("")}).to(dtype);
    EXPECT_TRUE(std::isnan(adam.step(1)));
    EXPECT_THAT(numbers(store.at("a").to(at::kDouble)), ElementsAre(1, 2));
    EXPECT_EQ(adam.state().updates, 0);
    EXPECT_THAT(numbers(adam.state().m[0].to(at::kDouble)), ElementsAre(0, 0));
  }
}

TEST(Adam, GoesOnFromASavedStateAsIfItHadNeverStopped) {
  const auto one = two_parameters(), other = two_parameters();
  train::Adam adam(one, {});
  set_grad(one, "a", {1, -2});
  adam.step();
  train::Adam resumed(other, {});
  resumed.set_state(adam.state());
  set(other, "a", numbers(one.at("a")));
  set_grad(one, "a", {0.5, 0.5});
  set_grad(other, "a", {0.5, 0.5});
  adam.step();
  resumed.step();
  EXPECT_EQ(numbers(one.at("a")), numbers(other.at("a")));
}

TEST(Adam, RefusesTheStateOfAnotherNetwork) {
  const auto store = two_parameters();
  train::Adam adam(store, {});
  auto state = adam.state();
  state.m.pop_back();
  EXPECT_THAT(error_text([&] { adam.set_state(state); }), HasSubstr("network of other shapes"));
}

TEST(Adam, RefusesOptionsOutOfRangeByName) {
  const auto store = two_parameters();
  EXPECT_THAT(error_text([&] { train::Adam(store, {.learning_rate = 0}); }),
              HasSubstr("learning_rate is 0"));
  EXPECT_THAT(error_text([&] { train::Adam(store, {.b2 = 1}); }), HasSubstr("b2 is 1"));
}

TEST(Clipping, ShortensAllGradientsTogetherToTheLimit) {
  const auto store = two_parameters();
  set_grad(store, "a", {3, 0});
  set_grad(store, "b", {4});
  EXPECT_DOUBLE_EQ(train::clip_by_global_norm(store, 2.5), 5);
  EXPECT_THAT(numbers(store.grad("a")), ElementsAre(1.5, 0));
  EXPECT_THAT(numbers(store.grad("b")), ElementsAre(2));
}

TEST(Clipping, LeavesShortGradientsAndALimitOfZeroAlone) {
  const auto store = two_parameters();
  set_grad(store, "b", {4});
  EXPECT_DOUBLE_EQ(train::clip_by_global_norm(store, 4.5), 4);
  EXPECT_DOUBLE_EQ(train::clip_by_global_norm(store, 0), 4);
  EXPECT_THAT(numbers(store.grad("b")), ElementsAre(4));
}

}  // namespace
}  // namespace npq::test
