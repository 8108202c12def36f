// What is no tensor, kept for the backward pass.
#include "npq/ops/saved.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace npq::ops {
namespace {

TEST(SavedValue, ComesBackAsItWasSavedAndLivesAsLongAsTheGraph) {
  auto shared = std::make_shared<const std::vector<int>>(std::vector{1, 2, 3});
  const std::weak_ptr<const std::vector<int>> watched = shared;
  {
    const auto saved = saved_value(std::move(shared));
    shared = nullptr;
    EXPECT_EQ(*loaded_value<std::shared_ptr<const std::vector<int>>>(saved),
              (std::vector{1, 2, 3}));
  }
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace npq::ops
