// What npq says to an impatient typist: one sentence each, in the words of the command.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string slip(const std::vector<std::string>& args) {
  const auto answer = run_npq(args);
  EXPECT_EQ(answer.exit_code, 2) << ::testing::PrintToString(args) << answer.err;
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
  EXPECT_THAT(answer.err, StartsWith("npq: "));
  return answer.err;
}

TEST(Slips, AValueOfAnotherKindIsNamedWithWhatWasExpected) {
  EXPECT_THAT(slip({"train", "--steps", "abc"}),
              HasSubstr("--steps is 'abc'; expected a whole number"));
  EXPECT_THAT(slip({"train", "--steps", "1.5"}), HasSubstr("'1.5'; expected a whole number"));
  EXPECT_THAT(slip({"data", "show", "bfs", "--nodes", "99999999999"}),
              HasSubstr("--nodes is '99999999999'; expected one that is in range"));
  EXPECT_THAT(slip({"evaluate", "run", "--samples", "x"}), HasSubstr("'npq evaluate --help'"));
}

TEST(Slips, AMissingValueSaysWhatKindItIs) {
  EXPECT_THAT(slip({"train", "--steps"}), HasSubstr("--steps needs a value: N"));
  EXPECT_THAT(slip({"evaluate"}), HasSubstr("RUN is missing; expected npq evaluate RUN"));
  EXPECT_THAT(slip({"data", "export", "bfs"}), HasSubstr("--out is missing; expected --out DIR"));
  EXPECT_THAT(slip({"bench"}),
              HasSubstr("a command is missing after 'npq bench'; expected one of: data"));
}

TEST(Slips, ASwitchTakesNoOtherValueThanTrueOrFalse) {
  EXPECT_THAT(slip({"data", "list", "--json=3"}), HasSubstr("--json is 3; it takes no value"));
  EXPECT_EQ(run_npq({"data", "list", "--json=false"}).out, run_npq({"data", "list"}).out);
}

TEST(Slips, OneWordTooManyIsNamed) {
  EXPECT_THAT(slip({"train", "dijkstra"}),
              HasSubstr("'dijkstra' is one word too many for npq train"));
  EXPECT_THAT(slip({"train", "-steps", "3"}), HasSubstr("did you mean '--steps'?"));
}

TEST(Slips, AnEmptyPathIsNotTakenForNone) {
  // As from a shell variable that is not set: a new run would begin in the place of the old one.
  for (const char* flag : {"--resume", "--out", "--config"})
    EXPECT_THAT(slip({"train", flag, "", "--print-config"}),
                HasSubstr(std::string(flag) + " is empty; expected a"));
  EXPECT_THAT(slip({"evaluate", ""}), HasSubstr("run is empty"));
}

TEST(Slips, NoOptionIsTakenForTheValueOfAnother) {
  // As from a shell variable that is not set, or with the value forgotten: a folder "--quiet".
  for (const char* flag : {"--resume=", "--out=", "--init=", "--config="})
    EXPECT_THAT(slip({"train", "--steps", "1", flag, "--print-config"}),
                HasSubstr("is empty; expected a"));
  EXPECT_THAT(slip({"train", "--algorithm=", "--print-config"}), HasSubstr("no algorithm ''"));
  EXPECT_THAT(slip({"train", "--hidden=", "--print-config"}), HasSubstr("--hidden is ''"));
  for (const char* flag : {"--resume", "--out", "--steps"})
    EXPECT_THAT(
        slip({"train", flag, "--quiet", "--print-config"}),
        AllOf(HasSubstr(std::string(flag) + " needs a value: "), HasSubstr("but --quiet follows")));
  const test::TemporaryFolder folder;
  test::put_file(folder / "c.json", R"({"init": ""})");
  EXPECT_THAT(slip({"train", "--config", (folder / "c.json").string(), "--print-config"}),
              HasSubstr("--init is empty"));
  EXPECT_EQ(run_npq({"experiment", "run", "dijkstra", "--only=", "--dry-run"}).exit_code, 0);
}

TEST(Slips, NamesFromFilesDoNotSteerTheTerminal) {
  const test::TemporaryFolder folder;
  test::put_file(folder / "c.json", R"({"a\u001b[31mb": 1})");
  EXPECT_THAT(slip({"train", "--config", (folder / "c.json").string()}),
              HasSubstr("no option '--a\\x1b[31mb'"));
}

TEST(Slips, NumbersThatAreNoneOfTheKindAreRefused) {
  EXPECT_THAT(slip({"train", "--seed", "-1", "--print-config"}),
              HasSubstr("--seed is -1; expected 0 or more"));
  EXPECT_THAT(slip({"peptides", "generate", "--out", "d", "--seed", "-1", "--print-config"}),
              HasSubstr("--seed"));
  for (const char* number : {"inf", "nan", "1e999"})
    EXPECT_THAT(slip({"train", "--learning-rate", number, "--print-config"}),
                HasSubstr("--learning-rate is " + std::string(number) + "; expected a finite"));
  EXPECT_THAT(slip({"bench", "train", "--repeats", "0"}),
              AllOf(HasSubstr("--repeats"), HasSubstr("range 1 to")));
}

TEST(Slips, OfListsTheNumberThatIsNoneIsNamed) {
  EXPECT_THAT(slip({"train", "--seeds", "1,99999999999999999999", "--print-config"}),
              HasSubstr("--seeds has 99999999999999999999, which is out of range"));
  EXPECT_THAT(slip({"evaluate", "run", "--sizes", "64,99999999999"}),
              HasSubstr("--sizes has 99999999999, which is out of range"));
  EXPECT_THAT(slip({"train", "--seeds", "3,-1", "--print-config"}),
              HasSubstr("--seeds has -1; expected numbers from 0"));
  // As large as --seed takes them.
  EXPECT_EQ(run_npq({"train", "--seeds", "9999999999", "--print-config"}).exit_code, 0);
}

TEST(Slips, FlagsThatTheAlgorithmHasNoUseForAreRefused) {
  EXPECT_THAT(slip({"data", "show", "bfs", "--needle", "3"}),
              HasSubstr("bfs has no use for --needle, which is for string matchers"));
  EXPECT_THAT(slip({"data", "show", "minimum", "--p", "0.5"}),
              HasSubstr("minimum has no use for --p, which is for graphs"));
  EXPECT_THAT(slip({"train", "--match-parameters", "npq_v", "--print-config"}),
              HasSubstr("no memory 'npq_v'"));
}

TEST(Slips, HelpIsAlsoAWord) {
  const auto word = run_npq({"help", "data", "show"}), flag = run_npq({"data", "show", "--help"});
  EXPECT_EQ(word.exit_code, 0);
  EXPECT_EQ(word.out, flag.out);
  EXPECT_EQ(run_npq({"help"}).out, run_npq({"--help"}).out);
}

TEST(Help, OfEveryCommandHasExamples) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"train"},
                                                  {"evaluate"},
                                                  {"predict"},
                                                  {"prove"},
                                                  {"trace"},
                                                  {"check"},
                                                  {"info"},
                                                  {"report"},
                                                  {"import", "haiku"},
                                                  {"bench", "train"},
                                                  {"bench", "evaluate"},
                                                  {"bench", "kernels"},
                                                  {"peptides", "train"},
                                                  {"peptides", "import"},
                                                  {"peptides", "generate"},
                                                  {"experiment", "run"},
                                                  {"experiment", "list"},
                                                  {"experiment", "status"},
                                                  {"experiment", "collect"},
                                                  {"experiment", "submit"},
                                                  {"list", "memories"},
                                                  {"list", "processors"},
                                                  {"list", "algorithms"}}) {
    auto args = command;
    args.emplace_back("--help");
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 0);
    std::string example = "Examples:\n  npq";
    for (const auto& word : command) example += " " + word;
    EXPECT_THAT(answer.out, HasSubstr(example));
  }
}

}  // namespace
}  // namespace npq::test
