// npq on terminals: narrow, dumb, without colours.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/run_command.h"
#include "tests/support/terminal.h"

namespace npq::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// A run of about a second, which shows its progress several times.
std::vector<std::string> training(const test::TemporaryFolder& folder) {
  return {"train",
          "--algorithm",
          "bfs",
          "--hidden",
          "4",
          "--batch",
          "2",
          "--steps",
          "600",
          "--threads",
          "1",
          "--out",
          (folder / "run").string()};
}

/// All that a table says, whatever the breaks of its lines.
std::string squeezed(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines)
    for (const char c : line)
      if (c != ' ') text += c;
  return text;
}

TEST(Terminal, ATableThatIsTooWideStandsInSeveralWithTheFirstColumnInEach) {
  auto lines = lines_on_screen(printed_on_terminal({"data", "list"}, 40));
  const auto explained =
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("T: "); });
  lines.erase(explained, lines.end());
  EXPECT_THAT(lines, Each(SizeIs(Le(40u))));
  EXPECT_EQ(
      std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("dfs "); }),
      std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("bfs "); }));
  EXPECT_GT(std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("bfs "); }),
            1);
  EXPECT_THAT(lines, Contains(StartsWith("strongly_connected_ ")));
  EXPECT_THAT(squeezed(lines), HasSubstr("pred_hparentijlargest"));
}

TEST(Terminal, ALongCellGoesOnInTheNextLine) {
  const auto lines = lines_on_screen(printed_on_terminal({"data", "list"}, 40));
  EXPECT_THAT(lines, Contains("lcs_length            dynamic"));
  EXPECT_THAT(lines, Contains("                      programming"));
}

TEST(Terminal, OnAWideOneATableIsThatOfAFile) {
  const auto lines = lines_on_screen(printed_on_terminal({"data", "list"}, 200));
  EXPECT_EQ(squeezed(lines), squeezed(lines_on_screen(run_npq({"data", "list"}).out)));
  EXPECT_THAT(lines, Contains(StartsWith("strongly_connected_components  graphs")));
}

TEST(Terminal, ProgressKeepsToItsLine) {
  const test::TemporaryFolder folder;
  const auto lines = lines_on_screen(printed_on_terminal(training(folder), 40));
  std::vector<std::string> progress;
  std::ranges::copy_if(lines, std::back_inserter(progress),
                       [](const std::string& line) { return line.find("/600") != line.npos; });
  EXPECT_THAT(progress, Not(SizeIs(0)));
  EXPECT_THAT(progress, Each(SizeIs(Le(39u))));
  EXPECT_THAT(progress, Each(HasSubstr("left")));
}

TEST(Terminal, CurvesOfACompareKeepToTheirLine) {
  const std::string results = NPQ_SOURCE_DIR "/results/dijkstra/dijkstra/mpnn/";
  const auto lines = lines_on_screen(printed_on_terminal(
      {"compare", results + "Baseline/seed1.json", results + "NPQ_W/seed1.json"}, 40));
  std::vector<std::string> curves;
  std::ranges::copy_if(lines, std::back_inserter(curves),
                       [](const std::string& line) { return line.find("▁") != line.npos; });
  ASSERT_THAT(curves, SizeIs(2));
  for (const auto& curve : curves)
    EXPECT_LE(std::ranges::count_if(curve, [](char c) { return (c & 0xC0) != 0x80; }), 40) << curve;
}

TEST(Terminal, ADumbOneGetsNoEscapes) {
  const test::TemporaryFolder folder;
  for (const auto& args : {std::vector<std::string>{"data", "list"}, training(folder)})
    EXPECT_THAT(printed_on_terminal(args, 80, {{"TERM", "dumb"}}), Not(HasSubstr("\x1b")));
}

TEST(Terminal, ColoursAreLeftOutWhereNobodyWantsThem) {
  EXPECT_THAT(printed_on_terminal({"data", "list"}, 80), HasSubstr("\x1b[1m"));
  EXPECT_THAT(printed_on_terminal({"data", "list"}, 80, {{"NO_COLOR", "1"}}),
              Not(HasSubstr("\x1b")));
  // By its convention an empty NO_COLOR asks for nothing.
  EXPECT_THAT(printed_on_terminal({"data", "list"}, 80, {{"NO_COLOR", ""}}), HasSubstr("\x1b[1m"));
}

}  // namespace
}  // namespace npq::test
