// Networks that no machine holds are refused before anything is made.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TooMuchToTrain : public ::testing::Test {
 protected:
  std::string refusal(std::vector<std::string> args, int code = 1) {
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, code) << answer.err;
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_FALSE(std::filesystem::exists(out()));
    return answer.err;
  }
  std::string out() const { return (folder_ / "run").string(); }
  test::TemporaryFolder folder_;
};

TEST_F(TooMuchToTrain, IsSaidWithTheEstimateAndNoFolderIsMade) {
  for (const std::vector<std::string>& end :
       {std::vector<std::string>{"--out", out()}, std::vector<std::string>{"--dry-run"}}) {
    const auto with = [&](std::vector<std::string> args) {
      args.insert(args.begin(), "train");
      args.insert(args.end(), end.begin(), end.end());
      return refusal(args);
    };
    EXPECT_THAT(with({"--hidden", "1000000"}),
                AllOf(HasSubstr("training dijkstra with --hidden 1000000 and --batch 32 needs at "
                                "least"),
                      HasSubstr("are free; ask for less"), HasSubstr("or add --force")));
    EXPECT_THAT(with({"--batch", "1000000"}), HasSubstr("--batch 1000000 needs at least"));
    EXPECT_THAT(with({"--train-sizes", "4,30000"}), HasSubstr("needs at least"));
    EXPECT_THAT(with({"--memory", "npq_w", "--slots", "1000000000"}), HasSubstr("needs at least"));
    EXPECT_THAT(with({"--memory", "npq_w", "--queue-width", "10000000000"}),
                HasSubstr("needs at least"));
    EXPECT_THAT(with({"--processor", "triplet_mpnn", "--triplet-features", "10000000000"}),
                HasSubstr("needs at least"));
  }
  EXPECT_THAT(refusal({"train", "--threads", "10000", "--out", out()}, 2),
              HasSubstr("--threads is 10000"));
}

TEST_F(TooMuchToTrain, HoldsForWhatTimesAndComparesToo) {
  EXPECT_THAT(refusal({"check", "--hidden", "1000000"}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({"bench", "train", "--batch", "10000000"}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({"bench", "evaluate", "--nodes", "60000"}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({"bench", "kernels", "--nodes", "60000"}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({"prove", "--only", "supervision", "--hidden", "1000000"}),
              HasSubstr("needs at least"));
}

TEST_F(TooMuchToTrain, HoldsForPeptides) {
  EXPECT_THAT(
      refusal({"peptides", "train", "--data", "nowhere", "--hidden", "1000000", "--out", out()}),
      HasSubstr("training with --hidden 1000000 and --layers"));
  EXPECT_THAT(refusal({"peptides", "train", "--data", "nowhere", "--layers", "1000000000"}, 2),
              HasSubstr("--layers is 1000000000; expected 1 to 1000"));
}

TEST_F(TooMuchToTrain, HoldsForARunThatGoesOnOnASmallerMachine) {
  const auto config = run_npq({"train", "--hidden", "1000000", "--print-config"}).out;
  const auto run = folder_ / "large";
  std::filesystem::create_directory(run);
  test::put_file(run / "config.json", config);
  EXPECT_THAT(refusal({"train", "--resume", run.string()}),
              AllOf(HasSubstr("training dijkstra with --hidden 1000000"),
                    HasSubstr("ask for less (a new run with a smaller --hidden")));
}

TEST_F(TooMuchToTrain, TestSetsOfAbsurdSizesAreRefusedToo) {
  ASSERT_EQ(run_npq({"train", "--hidden", "4", "--batch", "2", "--steps", "1", "--threads", "1",
                     "--quiet", "--force", "--out", (folder_ / "small").string()})
                .exit_code,
            0);
  const auto run = (folder_ / "small").string();
  EXPECT_THAT(refusal({"evaluate", run, "--sizes", "60000"}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({"evaluate", run, "--samples", "100000000000"}), HasSubstr("needs at least"));
}

}  // namespace
}  // namespace npq::test
