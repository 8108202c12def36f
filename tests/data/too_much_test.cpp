// Commands that ask for more than there is end at once, with nothing left behind.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(TooMuch, DataExportSaysWhatItNeedsAndMakesNoFolder) {
  const test::TemporaryFolder folder;
  const auto out = (folder / "out").string();
  const auto refusal = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"data", "export", "dijkstra", "--out", out});
    const auto answer = run_npq(more);
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_FALSE(std::filesystem::exists(out));
    return answer.err;
  };
  EXPECT_THAT(refusal({"--nodes", "30000"}),
              AllOf(HasSubstr("dijkstra: --samples 1000 of --nodes 30000 needs at least "),
                    HasSubstr("are free; ask for less (fewer samples, fewer nodes)")));
  EXPECT_THAT(refusal({"--samples", "1000000000"}), HasSubstr("--samples 1000000000"));
}

TEST(TooMuch, SoDoesDataShow) {
  for (const char* algorithm : {"floyd_warshall", "dijkstra"}) {
    const auto answer = run_npq({"data", "show", algorithm, "--nodes", "65535"});
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_THAT(answer.err, HasSubstr("1 samples of 65535 nodes needs at least"));
  }
}

TEST(TooMuch, TenThousandThreadsAreRefusedAndForceGoesOn) {
  const test::TemporaryFolder folder;
  const auto out = (folder / "out").string();
  const std::vector<std::string> args = {"data",      "export", "bfs",     "--samples", "2",
                                         "--threads", "10000",  "--quiet", "--out",     out};
  const auto answer = run_npq(args);
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, HasSubstr("--threads is 10000, but this machine lets us use"));
  EXPECT_FALSE(std::filesystem::exists(out));
  auto forced = args;
  forced.push_back("--force");  // two samples use two threads
  EXPECT_EQ(run_npq(forced).exit_code, 0);
}

}  // namespace
}  // namespace npq::test
