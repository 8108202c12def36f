// Words that are no command or option of npq.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::vector<std::string>& args) {
  const auto answer = run_npq(args);
  EXPECT_EQ(answer.exit_code, 2) << answer.err;
  return answer.err;
}

TEST(CommandWords, UnknownCommandsListTheKnownOnesAndTheNearest) {
  EXPECT_THAT(refusal({"dat", "list"}), HasSubstr("; did you mean 'data'? known: data, bench"));
  EXPECT_THAT(refusal({"data", "lst"}), HasSubstr("; did you mean 'list'? known: list, show"));
}

TEST(CommandWords, UnknownOptionsNameTheNearestAndWhereAllAre) {
  EXPECT_THAT(refusal({"bench", "data", "--jsn"}),
              HasSubstr("; did you mean '--json'? 'npq bench data --help' lists the options"));
  EXPECT_THAT(refusal({"data", "export", "dijkstra", "--node=5"}), HasSubstr("'--nodes'"));
}

TEST(CommandWords, WithoutAnyTheHelpIsShown) {
  const auto answer = run_npq({});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.out, AllOf(HasSubstr("Usage: npq"), HasSubstr("data")));
}

}  // namespace
}  // namespace npq::test
