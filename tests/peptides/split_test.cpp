#include "npq/peptides/split.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SplitFile : public ::testing::Test {
 protected:
  Split read(const std::string& content) {
    put_file(folder_ / "split", content);
    return read_split(folder_ / "split");
  }
  npq::test::TemporaryFolder folder_;
};

TEST_F(SplitFile, JsonMayCallTheSecondPartValid) {
  const auto split = read(R"( {"train": [2, 0], "valid": [1], "test": []})");
  EXPECT_THAT(split[Part::Train], ElementsAre(2, 0));
  EXPECT_THAT(split[Part::Val], ElementsAre(1));
  EXPECT_TRUE(split[Part::Test].empty());
}

TEST_F(SplitFile, JsonWithoutAPartOrWithOtherThingsIsNamed) {
  EXPECT_THAT(error_text([&] { read(R"({"train": [], "val": []})"); }),
              AllOf(HasSubstr("is not a split"), HasSubstr("no part 'test'")));
  EXPECT_THAT(error_text([&] { read(R"({"train": [0.5], "val": [], "test": []})"); }),
              HasSubstr("part 'train' holds 0.5"));
  EXPECT_THAT(error_text([&] { read(R"({"train": 1, "val": [], "test": []})"); }),
              HasSubstr("expected a list"));
  EXPECT_THAT(error_text([&] { read("{"); }), HasSubstr("is not a split: it is malformed JSON"));
}

TEST_F(SplitFile, APickleOfListsIsASplit) {
  // {'train': [1], 'val': [0], 'test': []}, protocol 0.
  const auto split = read("(dS'train'\n(lI1\nasS'val'\n(lI0\nasS'test'\n(ls.");
  EXPECT_THAT(split[Part::Train], ElementsAre(1));
  EXPECT_THAT(split[Part::Val], ElementsAre(0));
}

TEST_F(SplitFile, APickleThatWouldRunSomethingIsRefusedByName) {
  EXPECT_THAT(error_text([&] { read("cos\nsystem\n(S'true'\ntR."); }), HasSubstr("os.system"));
}

TEST_F(SplitFile, APickleOfSomethingElseIsNoSplit) {
  EXPECT_THAT(error_text([&] { read("(lI1\na."); }), HasSubstr("expected a dict"));
}

TEST(CheckSplit, CountsTheRowsThatNoPartHas) {
  EXPECT_EQ(check_split({{{{0, 3}, {1}, {}}}}, 6, "s"), 3);
}

TEST(CheckSplit, ARowOutOfRangeRepeatedOrInTwoPartsIsNamed) {
  const auto text = [](const Split& split) {
    return error_text([&] { check_split(split, 4, "s"); });
  };
  EXPECT_EQ(text({{{{0}, {4}, {}}}}), "'s': part 'val' names row 4, but there are 4 rows");
  EXPECT_EQ(text({{{{-1}, {}, {}}}}), "'s': part 'train' names row -1, but there are 4 rows");
  EXPECT_EQ(text({{{{2, 1, 2}, {}, {}}}}), "'s': part 'train' names row 2 twice");
  EXPECT_EQ(text({{{{2}, {}, {2}}}}), "'s': row 2 is in 'train' and in 'test'");
}

TEST(RandomSplit, DividesAllRows70To15To15AndFollowsItsSeed) {
  const auto split = random_split(2000, 1);
  EXPECT_EQ(split[Part::Train].size(), 1400u);
  EXPECT_EQ(split[Part::Val].size(), 300u);
  EXPECT_EQ(split[Part::Test].size(), 300u);
  EXPECT_EQ(check_split(split, 2000, "s"), 0);
  EXPECT_EQ(random_split(2000, 1).parts, split.parts);
  EXPECT_NE(random_split(2000, 2).parts, split.parts);
  EXPECT_FALSE(std::is_sorted(split[Part::Train].begin(), split[Part::Train].end()));
}

}  // namespace
}  // namespace npq::peptides
