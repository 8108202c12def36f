#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/clrs/samplers/drawn.h"

namespace npq::clrs {
namespace {

using ::testing::HasSubstr;

TEST(Samplers, TruncationCutsEveryNumberTowardsZeroAndLeavesIntegersAlone) {
  const SamplerOptions two{.truncate_decimals = 2};
  const auto cut = [](double value) { return std::trunc(value * 100) / 100; };
  const auto keys = drawn<Keys>(sample_max_subarray, 1, 50),
             short_keys = drawn<Keys>(sample_max_subarray, 1, 50, two);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(short_keys.key[i], cut(keys.key[i]));
  const auto tasks = drawn<Tasks>(sample_tasks, 1, 9),
             short_tasks = drawn<Tasks>(sample_tasks, 1, 9, two);
  EXPECT_EQ(short_tasks.d, tasks.d);
  EXPECT_EQ(short_tasks.w[3], cut(tasks.w[3]));
  EXPECT_EQ(drawn<SortedKeysAndTarget>(sample_sorted_keys_and_target, 1, 9, two).target,
            cut(drawn<SortedKeysAndTarget>(sample_sorted_keys_and_target, 1, 9).target));
  const auto tree = drawn<SearchTree>(sample_search_tree, 1, 5),
             short_tree = drawn<SearchTree>(sample_search_tree, 1, 5, two);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(short_tree.p[i], cut(tree.p[i]));
  const auto A = drawn<Graph>(sample_kruskal_graph, 1, 9).A,
             short_A = drawn<Graph>(sample_kruskal_graph, 1, 9, two).A;
  for (int i = 0; i < 81; ++i) EXPECT_EQ(short_A.values()[i], cut(A.values()[i]));
  const auto ends = drawn<Points>(sample_segments, 1, 4),
             short_ends = drawn<Points>(sample_segments, 1, 4, two);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(short_ends.y[i], cut(ends.y[i]));
}

TEST(Samplers, ALengthTooSmallIsRefusedWithTheSmallestThatWorks) {
  EXPECT_THAT(refusal(sample_keys, 0), HasSubstr("give 1 or more"));
  EXPECT_THAT(refusal(sample_dfs_graph, -1), HasSubstr("give 1 or more"));
  EXPECT_THAT(refusal(sample_kruskal_graph, 0), HasSubstr("give 1 or more"));
  EXPECT_THAT(refusal(sample_communities, 3), HasSubstr("each of 4 communities"));
  EXPECT_THAT(refusal(sample_lcs_strings, 1), HasSubstr("give 2 or more"));
  EXPECT_THAT(refusal(sample_lcs_strings, 5, {.length_2 = 5}), HasSubstr("length of 6 or more"));
  EXPECT_THAT(refusal(sample_match_strings, 2), HasSubstr("give 3 or more"));
  EXPECT_THAT(refusal(sample_match_strings, 16, {.length_needle = 8}),
              HasSubstr("give 17 or more"));
  EXPECT_THAT(refusal(sample_match_strings, 16, {.length_needle = -8}),
              HasSubstr("give 17 or more"));
  EXPECT_THAT(refusal(sample_keys, 70000), HasSubstr("at most 65535 nodes"));
}

TEST(SamplerOptions, ValuesThatNoSamplerCanUseAreRefused) {
  const auto refused = [](const SamplerOptions& options) {
    EXPECT_THROW(options.validate(), UsageError);
    return refusal(sample_segments, 4, options);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refused({.chars = 5}), HasSubstr("chars is 5"));
  EXPECT_THAT(refused({.chars = 0}), HasSubstr("chars is 0"));
  EXPECT_THAT(refused({.p = {0.5, 0.0}}), HasSubstr("p is 0"));
  EXPECT_THAT(refused({.p = {1.1}}), HasSubstr("p is 1.1"));
  EXPECT_THAT(refused({.p = {nan}}), HasSubstr("p is nan"));
  EXPECT_THAT(refused({.truncate_decimals = 16}), HasSubstr("0 to 15"));
  EXPECT_THAT(refused({.truncate_decimals = -1}), HasSubstr("0 to 15"));
  EXPECT_THAT(refused({.low = 2, .high = 1}), HasSubstr("low must be below high"));
  EXPECT_THAT(refused({.low = nan}), HasSubstr("low is nan"));
  EXPECT_THAT(refused({.k = 0}), HasSubstr("k is 0"));
  EXPECT_THAT(refused({.eps = -0.1}), HasSubstr("eps is -0.1"));
  EXPECT_THAT(refused({.length_2 = 0}), HasSubstr("length_2 is 0"));
  EXPECT_THAT(refused({.length_needle = 0}), HasSubstr("the needle has length 0"));
  EXPECT_THAT(refused({.max_deadline = 0}), HasSubstr("max_deadline is 0"));
  EXPECT_THAT(refused({.radius = 0}), HasSubstr("radius is 0"));
  EXPECT_THAT(refused({.origin_x = nan}), HasSubstr("origin_x is nan"));
  EXPECT_NO_THROW(SamplerOptions{}.validate());
}

TEST(SamplerOptions, EverySamplerRefusesThemEvenThoseItDoesNotLookAt) {
  for (const auto sample :
       {sample_keys, sample_sorted_keys_and_target, sample_max_subarray, sample_lcs_strings,
        sample_search_tree, sample_activities, sample_tasks, sample_dfs_graph, sample_bfs_graph,
        sample_topological_graph, sample_articulation_graph, sample_kruskal_graph,
        sample_weighted_graph_with_source, sample_dag_with_source, sample_floyd_warshall_graph,
        sample_communities, sample_match_strings, sample_segments, sample_hull_points}) {
    EXPECT_THAT(refusal(sample, 16, {.chars = 5}), HasSubstr("chars is 5"));
  }
}

TEST(SamplerOptions, RangesThatOneSamplerCannotUseAreRefusedByIt) {
  // 2 is above the default high of 1, and a root needs products that are not negative.
  EXPECT_THAT(refusal(sample_keys, 4, {.low = 2}), HasSubstr("low must be below high"));
  EXPECT_THAT(refusal(sample_kruskal_graph, 4, {.low = -1}), HasSubstr("give low 0 or more"));
  const SamplerOptions debts{.low = -2, .high = -1, .p = {1.0}};
  EXPECT_THAT(drawn<GraphWithSource>(sample_dag_with_source, 1, 3, debts).A.values(),
              ::testing::Contains(::testing::Lt(-1)).Times(3));
}

}  // namespace
}  // namespace npq::clrs
