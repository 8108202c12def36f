#include <gtest/gtest.h>

#include <iostream>

#include "npq/model/losses.h"
#include "npq/train/loop/adam.h"
#include "tests/support/torch_golden.h"

namespace npq::test {
namespace {

void expect_parameters(const GoldenNetwork& golden, const std::string& prefix,
                       const ops::ParameterStore& store, double tolerance) {
  for (const auto& [name, value] : store) {
    EXPECT_LE(relative_difference(value, golden.tensor(prefix + name)), tolerance) << prefix + name;
  }
}

std::string batch_name(std::size_t k) { return "batch/" + std::to_string(k) + "/"; }

/// Leaves the gradients in the store and returns the loss.
double backward(const model::Model& model, const ops::ParameterStore& store,
                const model::TensorBatch& batch) {
  store.zero_grad();
  const auto loss = model::losses(model.spec(), model.unroll(batch), batch).total;
  loss.backward();
  return loss.item<double>();
}

void follow(const GoldenNetwork& golden, double tolerance) {
  const auto store = golden.parameters(at::kDouble);
  const model::Model model(golden.spec(), golden.options(), store);
  train::Adam adam(store, {});
  const auto losses = golden.file().values<double>("loss");
  const auto norms = golden.file().values<double>("grad_norm");
  for (std::size_t k = 0; k < losses.size(); ++k) {
    EXPECT_NEAR(backward(model, store, golden.batch(at::kDouble, batch_name(k))), losses[k],
                tolerance * std::max(1.0, losses[k]))
        << "update " << k;
    EXPECT_NEAR(train::clip_by_global_norm(store, 1.0), norms[k],
                tolerance * std::max(1.0, norms[k]))
        << "update " << k;
    adam.step();
    if (k == 0) expect_parameters(golden, "after_first/", store, tolerance);
  }
  expect_parameters(golden, "final/", store, tolerance);
  std::size_t k = 0;
  for (const auto& [name, value] : store) {
    EXPECT_LE(relative_difference(adam.state().m[k], golden.tensor("final_adam_m/" + name)),
              tolerance)
        << name;
    EXPECT_LE(relative_difference(adam.state().v[k], golden.tensor("final_adam_v/" + name)),
              tolerance)
        << name;
    ++k;
  }
}

TEST(AdamGolden, CoursesOfTrainingWithoutMemoryAgreeWithOptax) {
  ASSERT_TRUE(std::filesystem::exists(golden_folder())) << golden_folder() << " does not exist";
  const auto folder = golden_folder() / "model";
  if (!std::filesystem::exists(folder)) {
    std::cout << "no folder " << folder << ": nothing to compare\n";
    return;
  }
  int courses = 0;
  for (const auto& path : golden_files(folder)) {
    SCOPED_TRACE(path.filename().string());
    try {
      const GoldenNetwork golden(path);
      if (!golden.trains() || golden.memory() != "none") continue;
      follow(golden, 1e-9);
      ++courses;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  std::cout << "golden courses of training compared in float64: " << courses << "\n";
}

TEST(AdamGolden, TheLossesOfOurOwnCourseAreFollowedInFloatToo) {
  int courses = 0;
  for (const auto& path : golden_files(own_golden_folder() / "model")) {
    const GoldenNetwork golden(path);
    if (!golden.trains() || golden.memory() != "none") continue;
    ++courses;
    const auto store = golden.parameters(at::kFloat);
    const model::Model model(golden.spec(), golden.options(), store);
    train::Adam adam(store, {});
    const auto losses = golden.file().values<double>("loss");
    for (std::size_t k = 0; k < losses.size(); ++k) {
      // An update moves each parameter by about 1e-3 however small its gradient is. Where that is
      // all rounding, its sign is chance: parameters part by 2e-3 an update, gradients jump at the
      // kinks between, and only the losses stay close: 2e-3 of losses that fall by a quarter.
      EXPECT_NEAR(backward(model, store, golden.batch(at::kFloat, batch_name(k))), losses[k],
                  2e-3 * losses[k])
          << "update " << k;
      train::clip_by_global_norm(store, 1.0);
      adam.step();
    }
  }
  EXPECT_GT(courses, 0);
}

}  // namespace
}  // namespace npq::test
