#include <ATen/ops/from_blob.h>
#include <gtest/gtest.h>

#include <iostream>

#include "npq/model/losses.h"
#include "npq/train/adam.h"
#include "tests/support/torch_golden.h"

namespace npq::testing {
namespace {

void expect_parameters(const GoldenNetwork& golden, const std::string& prefix,
                       const ParameterStore& store, double tolerance) {
  for (const auto& [name, value] : store) {
    EXPECT_LE(relative_difference(value, golden.tensor(prefix + name)), tolerance) << prefix + name;
  }
}

void follow(const GoldenNetwork& golden, at::ScalarType dtype, double tolerance) {
  const auto store = golden.parameters(dtype);
  const model::Model model(golden.spec(), golden.options(), store);
  train::Adam adam(store, {});
  const auto losses = golden.file().values<double>("loss");
  const auto norms = golden.file().values<double>("grad_norm");
  for (std::size_t k = 0; k < losses.size(); ++k) {
    const auto batch = golden.batch(dtype, "batch/" + std::to_string(k) + "/");
    store.zero_grad();
    const auto loss = model::losses(model.spec(), model.unroll(batch), batch).total;
    loss.backward();
    EXPECT_NEAR(loss.item<double>(), losses[k], tolerance * std::max(1.0, losses[k]))
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
      follow(golden, at::kDouble, 1e-9);
      ++courses;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  std::cout << "golden courses of training compared in float64: " << courses << "\n";
}

TEST(AdamGolden, OurOwnFilesHoldACourseOfTrainingThatFloatFollowsToo) {
  int courses = 0;
  for (const auto& path : golden_files(own_golden_folder() / "model")) {
    const GoldenNetwork golden(path);
    if (!golden.trains() || golden.memory() != "none") continue;
    // An update moves each parameter by about 1e-3 whatever the gradient's size, so where a
    // gradient is all rounding its sign decides: twenty updates may part by up to 4e-2, and the
    // losses with them by some per mille.
    follow(golden, at::kFloat, 2e-3);
    ++courses;
  }
  EXPECT_GT(courses, 0);
}

}  // namespace
}  // namespace npq::testing
