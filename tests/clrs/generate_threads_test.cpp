// Label threads: these run under the thread sanitizer too.
#include <gmock/gmock.h>

#include <algorithm>

#include "npq/clrs/dataset/dataset.h"

namespace npq::clrs {
namespace {

bool equal(const Sample& a, const Sample& b) {
  if (a.nodes() != b.nodes() || a.length() != b.length()) return false;
  for (std::size_t p = 0; p < a.spec().size(); ++p) {
    const Series left = a.series(p), right = b.series(p);
    for (int t = 0; t < left.length(); ++t)
      if (!std::ranges::equal(left.frame<std::byte>(t), right.frame<std::byte>(t))) return false;
  }
  return true;
}

class Threads : public testing::TestWithParam<const char*> {};

TEST_P(Threads, NeverChangeABitOfTheData) {
  const auto& algorithm = find_algorithm(GetParam());
  const GenerateOptions options{.seed = 5, .length = 12, .samples = 40};
  const auto alone = generate(algorithm, options, /*threads=*/1);
  const auto together = generate(algorithm, options, /*threads=*/4);
  ASSERT_EQ(alone.samples.size(), together.samples.size());
  for (std::size_t k = 0; k < alone.samples.size(); ++k)
    EXPECT_TRUE(equal(alone.samples[k], together.samples[k])) << "sample " << k;
  EXPECT_EQ(random::RandomState(alone.random).next_u32(),
            random::RandomState(together.random).next_u32());
}

// One algorithm for each kind of input.
INSTANTIATE_TEST_SUITE_P(All, Threads,
                         testing::Values("quicksort", "binary_search", "task_scheduling",
                                         "lcs_length", "optimal_bst", "dijkstra", "mst_kruskal",
                                         "strongly_connected_components", "kmp_matcher",
                                         "graham_scan"),
                         [](const auto& info) { return std::string(info.param); });

TEST(GenerateProgress, IsReportedOneAtATimeUpToTheTotal) {
  std::int64_t most = 0, calls = 0;  // plain integers: two reports at a time would be a race
  generate(find_algorithm("minimum"), {.seed = 1, .length = 8, .samples = 200}, /*threads=*/4,
           [&](std::int64_t done, std::int64_t total) {
             EXPECT_EQ(total, 200);
             most = std::max(most, done);
             ++calls;
           });
  EXPECT_EQ(most, 200);
  EXPECT_GT(calls, 0);
}

}  // namespace
}  // namespace npq::clrs
