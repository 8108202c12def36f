#include "npq/prove/reduction.h"

#include <gmock/gmock.h>

#include <set>

#include "npq/prove/operations.h"

namespace npq::prove {
namespace {

using Kind = Operation::Kind;

constexpr Structure kAll[] = {Structure::PriorityQueue, Structure::Stack, Structure::Queue};

TEST(Reduction, NpqMIsAPriorityQueueAStackAndAQueue) {
  for (const auto structure : kAll) {
    const auto check = reduce_to(structure, "npq_m", 0, 300);
    EXPECT_EQ(check.mismatches, 0) << structure_name(structure);
    EXPECT_EQ(check.sequences, 300);
    EXPECT_GT(check.operations, 300 * 20);  // 32.5 on average
  }
}

TEST(Reduction, WhatKeepsItsElementsOrMixesThemIsNone) {
  // NPQ_W pops a mixture, -P never deletes, -SV gives every node a share.
  for (const char* memory : {"npq_w", "npq_m_p", "npq_m_sv"})
    EXPECT_GT(reduce_to(Structure::PriorityQueue, memory, 0, 50).mismatches, 25) << memory;
}

TEST(Reduction, AnotherRangeOfSequencesIsOtherSequences) {
  EXPECT_NE(reduce_to(Structure::Stack, "npq_m", 0, 20).operations,
            reduce_to(Structure::Stack, "npq_m", 20, 20).operations);
}

TEST(Reduction, IsProvedOfQueuesAloneAndCountsAllSequences) {
  const auto rows = prove_reduction({"npq_m", "npq_w", "lstm"}, 300, 1, {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].checks.size(), 3u);
  EXPECT_EQ(rows[0].checks[0].sequences, 300);
  EXPECT_TRUE(rows[0].holds());
  EXPECT_EQ(rows[1].checks[0].sequences, 200);
  EXPECT_FALSE(rows[1].holds());
}

TEST(Operations, HaveDistinctKeysAndOneTo64Steps) {
  ops::Stream random(1);
  for (int k = 0; k < 100; ++k) {
    const auto played = play(Structure::PriorityQueue, random);
    ASSERT_GE(played.operations.size(), 1u);
    ASSERT_LE(played.operations.size(), 64u);
    std::set<int> keys;
    for (const auto& operation : played.operations) EXPECT_TRUE(keys.insert(operation.key).second);
  }
}

TEST(Operations, APopTakesTheLargestKeyTheNewestOrTheOldest) {
  for (const auto structure : kAll) {
    ops::Stream random(2);
    int pops = 0;
    for (int k = 0; k < 50; ++k) {
      const auto played = play(structure, random);
      std::vector<std::pair<int, int>> in;  // key and identity, in the order of arrival
      int pushed = 0;
      for (std::size_t t = 0; t < played.operations.size(); ++t) {
        const auto& operation = played.operations[t];
        if (operation.kind == Kind::Push) in.emplace_back(operation.key, ++pushed);
        if (operation.kind == Kind::Pop && !in.empty()) {
          const auto best = structure == Structure::PriorityQueue
                                ? std::max_element(in.begin(), in.end())
                            : structure == Structure::Stack ? in.end() - 1
                                                            : in.begin();
          EXPECT_EQ(played.received[t], best->second);
          in.erase(best);
          ++pops;
        } else {
          EXPECT_EQ(played.received[t], 0);
        }
        for (const auto& [key, identity] : in) EXPECT_TRUE(played.contained[t][identity]);
        EXPECT_EQ(std::count(played.contained[t].begin(), played.contained[t].end(), true),
                  static_cast<std::ptrdiff_t>(in.size()));
      }
    }
    EXPECT_GT(pops, 100);
  }
}

}  // namespace
}  // namespace npq::prove
