#include "npq/clrs/trace/true_queue.h"

#include <gmock/gmock.h>

#include "npq/clrs/catalog.h"
#include "npq/clrs/dataset/dataset.h"
#include "tests/support/error_text.h"

namespace npq::clrs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Sample sample_of(const char* name, int nodes, std::uint32_t seed) {
  auto data = generate(find_algorithm(name), {.seed = seed, .length = nodes, .samples = 1}, 1);
  return std::move(data.samples.front());
}

TEST(TrueQueue, TheNodeThatDijkstraTakesNextIsAlwaysInFront) {
  for (const char* name : {"dijkstra", "mst_prim"}) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      const auto sample = sample_of(name, 12, seed);
      const auto queue = true_queue(name, sample);
      const auto u = sample.series("u");
      for (int t = 0; t + 1 < sample.length(); ++t) {
        ASSERT_FALSE(queue.order[t].empty());
        EXPECT_EQ(queue.order[t].front(), u.frame<std::uint16_t>(t + 1)[0]) << name << " " << t;
      }
      EXPECT_THAT(queue.order.back(), IsEmpty());
    }
  }
}

TEST(TrueQueue, TheTopOfADataStructureIsInFront) {
  for (const char* name : {"priority_queue", "stack", "queue"}) {
    const auto sample = sample_of(name, 10, 5);
    const auto queue = true_queue(name, sample);
    const auto top = sample.series("top");
    for (int t = 1; t < sample.length(); ++t) {
      if (queue.order[t].empty()) continue;
      EXPECT_EQ(queue.order[t].front(), top.frame<std::uint16_t>(t)[0]) << name << " " << t;
    }
  }
}

TEST(TrueQueue, OtherAlgorithmsHaveNone) {
  EXPECT_FALSE(has_true_queue("bfs"));
  const auto sample = sample_of("bfs", 5, 1);
  EXPECT_THAT(test::error_text([&] { true_queue("bfs", sample); }),
              HasSubstr("'bfs' shows no queue"));
}

/// Nodes 0, 1, 2 came in at records 0, 1, 2; at record 3 they leave in the order 2, 0, 1.
TrueQueue three() {
  return {.order = {{0}, {0, 1}, {2, 0, 1}, {2, 0, 1}}, .entered = {{0}, {1}, {2}, {}}};
}

TEST(Agreement, AttentionInTheOrderOfLeavingIsPerfect) {
  const auto found = agreement(three(), 3, {.attention = {0.5, 0.1, 0.9}, .written = {0, 1, 2}});
  EXPECT_TRUE(found.comparable);
  EXPECT_TRUE(found.top);
  EXPECT_TRUE(found.correlated);
  EXPECT_DOUBLE_EQ(found.correlation, 1);
}

TEST(Agreement, AttentionAgainstTheOrderIsTheOpposite) {
  const auto found = agreement(three(), 3, {.attention = {0.5, 0.9, 0.1}, .written = {0, 1, 2}});
  EXPECT_TRUE(found.comparable);
  EXPECT_FALSE(found.top);
  EXPECT_DOUBLE_EQ(found.correlation, -1);
}

TEST(Agreement, AnEmptySlotOrALostElementCannotBeCompared) {
  // The element of node 2 is gone.
  const auto lost = agreement(three(), 3, {.attention = {0.5, 0.1, 0.9}, .written = {0, 1, -1}});
  EXPECT_FALSE(lost.comparable);
  EXPECT_TRUE(lost.correlated);
  const auto single = agreement(three(), 3, {.attention = {0, 0, 1}, .written = {-1, -1, 2}});
  EXPECT_FALSE(single.comparable);
  EXPECT_FALSE(single.correlated);
}

TEST(Agreement, ANodeBelongsToTheNewestOfItsSlots) {
  auto queue = three();
  queue.entered[1] = {0, 1};  // node 0 got a new key at record 1
  queue.order[3] = {0, 1, 2};
  const auto found = agreement(queue, 3, {.attention = {0.9, 0.5, 0.1}, .written = {0, 1, 2}});
  EXPECT_TRUE(found.comparable);
  EXPECT_FALSE(found.top);  // the slot of record 0 stands for nobody now
  EXPECT_DOUBLE_EQ(found.correlation, 1);
}

}  // namespace
}  // namespace npq::clrs
