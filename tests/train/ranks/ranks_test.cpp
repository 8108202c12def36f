#include "npq/train/ranks/ranks.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/train/ranks/together.h"

namespace npq::train {
namespace {

using test::endings;
using test::member;
using test::together;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Ranks, GatherTextsOfAnyLengthInTheirOrder) {
  const auto words = together(3, [](const auto& ranks) {
    const std::string mine(static_cast<std::size_t>(ranks->rank()) * 2, 'x');
    EXPECT_THAT(ranks->gather(mine), ElementsAre("", "xx", "xxxx"));
    EXPECT_EQ(ranks->from_first(ranks->is_first() ? "hello" : ""), "hello");
  });
  EXPECT_THAT(words, Each(IsEmpty()));
}

TEST(Ranks, AloneHearThemselves) {
  Ranks alone;
  EXPECT_THAT(alone.gather("word"), ElementsAre("word"));
  EXPECT_FALSE(alone.stops());
  alone.ask_to_stop();
  EXPECT_TRUE(alone.stops());
}

TEST(Ranks, StopTogetherAtTheGatherBehindTheFirstWish) {
  const auto words = together(2, [](const auto& ranks) {
    ranks->gather("");
    EXPECT_FALSE(ranks->stops());
    if (ranks->rank() == 1) ranks->ask_to_stop();
    EXPECT_FALSE(ranks->stops()) << "the other has not heard of it";
    ranks->gather("");
    EXPECT_TRUE(ranks->stops());
  });
  EXPECT_THAT(words, Each(IsEmpty()));
}

TEST(Ranks, ShareThingsAsEvenlyAsItGoes) {
  together(3, [](const auto& ranks) {
    std::size_t next = 0;
    for (int rank = 0; rank < 3; ++rank) {
      const auto share = ranks->share(8, rank);
      EXPECT_EQ(share.first, next);
      EXPECT_GE(share.size(), 2u);
      next = share.last;
    }
    EXPECT_EQ(next, 8u);
  });
}

TEST(Ranks, WhoWaitsForOneThatHasEndedNamesItAndItsReason) {
  std::vector<bool> first(3);
  const int port = free_port();
  const auto words = endings(3, [&](int rank) {
    Ranks ranks(member(rank, 3, port));
    ranks.gather("");
    try {
      if (rank == 1) throw std::runtime_error("the disk is full");
      ranks.gather("");
    } catch (const std::exception& error) {
      first[static_cast<std::size_t>(rank)] = ranks.ends_with(error.what());
      throw;
    }
  });
  EXPECT_THAT(words, ElementsAre(HasSubstr("rank 1 of 3"), HasSubstr("disk is full"),
                                 HasSubstr("rank 1 of 3")));
  EXPECT_THAT(first, ElementsAre(false, true, false)) << "one sentence is enough";
}

TEST(Ranks, OneThatHangsIsNamedWhenItsTimeIsOver) {
  const int port = free_port();
  const auto words = endings(3, [&](int rank) {
    auto own = member(rank, 3, port);
    own.timeout = std::chrono::seconds(2);
    Ranks ranks(own);
    ranks.gather("");
    if (rank == 2) std::this_thread::sleep_for(std::chrono::seconds(4));
    ranks.gather("");
  });
  EXPECT_THAT(words[0], AllOf(HasSubstr("rank 2 of 3"), HasSubstr("not answered for 2 s")));
  EXPECT_THAT(words[1], AllOf(HasSubstr("rank 2 of 3"), HasSubstr("not answered for 2 s")));
}

std::vector<std::string> meet(const std::vector<Membership>& members) {
  return endings(static_cast<int>(members.size()), [&](int i) {
    auto own = members[static_cast<std::size_t>(i)];
    own.timeout = std::chrono::seconds(2);
    Ranks ranks(own);
  });
}

TEST(Ranks, OneThatDoesNotComeIsNamed) {
  const int port = free_port();
  EXPECT_THAT(meet({member(0, 3, port), member(2, 3, port)}),
              Each(HasSubstr("rank 1 of 3 has not come within 2 s")));
  EXPECT_THAT(meet({member(1, 2, free_port())}), ElementsAre(HasSubstr("found no rank 0")));
}

TEST(Ranks, APortInUseIsSaidByRank0) {
  const int port = free_port();
  const auto words = together(
      2,
      [&](const auto& ranks) {
        ranks->gather("");
        if (ranks->is_first()) {
          EXPECT_THAT(meet({member(0, 2, port)}),
                      ElementsAre(AllOf(HasSubstr(std::to_string(port)), HasSubstr("in use"),
                                        HasSubstr("--port"))));
        }
        ranks->gather("");
      },
      port);
  EXPECT_THAT(words, Each(IsEmpty()));
}

TEST(Ranks, TwoWithTheSameNumberAndOtherCountsAreTold) {
  int port = free_port();
  const auto twice = meet({member(0, 3, port), member(1, 3, port), member(1, 3, port)});
  EXPECT_THAT(twice, ::testing::Contains(HasSubstr("two ranks 1")));
  port = free_port();
  EXPECT_THAT(meet({member(0, 2, port), member(1, 3, port)}),
              ::testing::Contains(AllOf(HasSubstr("counts 3"), HasSubstr("counts 2"))));
}

TEST(Ranks, MeetThroughTwoAddressesOfTwoHosts) {
  const int port = free_port();
  const auto words = endings(2, [&](int rank) {
    auto own = member(rank, 2, port);
    own.interface = rank == 0 ? "127.0.0.1" : "127.0.0.2";
    Ranks ranks(own);
    EXPECT_THAT(ranks.gather(own.interface), ElementsAre("127.0.0.1", "127.0.0.2"));
  });
  EXPECT_THAT(words, Each(IsEmpty()));
}

TEST(Ranks, AnInterfaceThatIsNotThereIsToldWithThoseThatAre) {
  const int port = free_port();
  const auto words = endings(2, [&](int rank) {
    auto own = member(rank, 2, port);
    own.timeout = std::chrono::seconds(2);
    if (rank == 1) own.interface = "eth99";
    Ranks ranks(own);
  });
  EXPECT_THAT(words[1], AllOf(HasSubstr("eth99"), HasSubstr("known: "), HasSubstr("lo")));
}

}  // namespace
}  // namespace npq::train
