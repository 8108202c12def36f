// The page: complete in itself, well formed, and safe whatever the files say.
#include "npq/report/pages/page.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/report/made_up_run.h"
#include "tests/support/run_command.h"

namespace npq::report {
namespace {

using npq::test::file_content;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Walks the tags: each must close the one opened last. Returns what is wrong, or nothing.
std::string malformed(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != page.npos; at = page.find('<', at)) {
    const auto end = page.find('>', at);
    if (end == page.npos) return "a tag without end at byte " + std::to_string(at);
    const auto tag = page.substr(at + 1, end - at - 1);
    at = end;
    const auto name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with("!") || tag.ends_with("/") || name == "meta") continue;
    if (tag.starts_with("/")) {
      if (open.empty() || "/" + open.back() != tag) return "<" + tag + "> closes nothing";
      open.pop_back();
      continue;
    }
    open.push_back(name);
    if (name == "script" || name == "style") at = page.find("</" + name, at);
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

RunSet runs_below(const TemporaryFolder& folder) {
  const std::vector<std::filesystem::path> asked = {folder.path()};
  return read_runs(asked);
}

class Page : public ::testing::Test {
 protected:
  Page() {
    const std::string health = "{\"step\":0,\"memory\":{\"alive\":2,\"drained\":0.5}}\n";
    MadeUpRun{.memory = "none", .seed = 1, .metrics = log_of(0.25, 0.5)}.write(folder_ / "n1");
    MadeUpRun{.memory = "none", .seed = 2, .metrics = log_of(0.25, 0.7)}.write(folder_ / "n2");
    MadeUpRun{.memory = "npq_w", .seed = 1, .metrics = log_of(0.3, 0.8) + health}.write(folder_ /
                                                                                        "q1");
  }
  std::string page() const { return html_page(runs_below(folder_), {.command = "npq report x"}); }
  TemporaryFolder folder_;
};

TEST_F(Page, NeedsNothingFromAnywhereElse) {
  const auto text = page();
  EXPECT_FALSE(std::regex_search(text, std::regex("(src|href|@import|url\\()")));
  EXPECT_FALSE(std::regex_search(text, std::regex("https?://")));
}

TEST_F(Page, HoldsTheMicroscopeOfARunLockedIn) {
  EXPECT_THAT(page(), Not(HasSubstr("microscope</h2>")));
  put_file(folder_ / "q1" / "trace.html", "<p title=\"a&b\">step by step</p>");
  EXPECT_THAT(page(), HasSubstr("sandbox=\"allow-scripts\" srcdoc=\"<p title=&quot;a&amp;b&quot;>"
                                "step by step</p>\""));
  put_file(folder_ / "q1" / "trace.html", "\xff");
  EXPECT_THAT(page(),
              AllOf(Not(HasSubstr("microscope</h2>")), HasSubstr("is not a page of npq trace")));
}

TEST_F(Page, IsWellFormed) { EXPECT_EQ(malformed(page()), ""); }

TEST_F(Page, HasTheTablesTheCurvesAndTheCommands) {
  const auto text = page();
  EXPECT_THAT(text,
              AllOf(HasSubstr("60.00 ±\u00a010.00"), HasSubstr("MPNN + NPQ_W"),
                    HasSubstr("Validation score against step"),
                    HasSubstr("Training loss against seconds"), HasSubstr("Memory: elements alive"),
                    HasSubstr("What the memories hold"), HasSubstr("class=\"band c0 d0\""),
                    HasSubstr("npq train --algorithm dijkstra"), HasSubstr("abc123")));
  EXPECT_THAT(text, HasSubstr("dijkstra, MPNN: 11 of 30000 steps, 2 of 3 seeds, not finished"));
}

TEST_F(Page, OpensWithItsConclusionInHtmlMarkdownAndTheCommand) {
  const std::string sentence = "no run is finished, so nothing can be compared yet.";
  const auto text = page();
  EXPECT_LT(text.find(sentence), text.find("<table"));
  EXPECT_LT(text.find(sentence), text.find("class=\"note\""));
  const auto plain = markdown_page(runs_below(folder_), {});
  EXPECT_LT(plain.find(sentence), plain.find("| algorithm"));
  const auto answer = test::run_npq({"report", folder_.path().string()});
  EXPECT_THAT(answer.out, ::testing::EndsWith("3 of 3 runs are not finished.\n"));
}

TEST_F(Page, InMarkdownHasWholeCommandsWithTheirCommits) {
  const std::string long_note(1000, 'x');
  MadeUpRun{.more = ",\"note\": \"" + long_note + "\""}.write(folder_ / "long");
  const auto text = markdown_page(runs_below(folder_), {});
  EXPECT_THAT(text, HasSubstr("(commit abc123): npq train --algorithm dijkstra"));
  EXPECT_THAT(text, HasSubstr("--note " + long_note + " --processor"));
}

TEST_F(Page, IsTheSameForTheSameRuns) { EXPECT_EQ(page(), page()); }

TEST_F(Page, ShowsHostileNamesAsText) {
  MadeUpRun{.memory = "</script><script>alert(1)</script>", .metrics = log_of(0.1, 0.2)}.write(
      folder_ / "<img onerror=x>");
  const auto text = page();
  EXPECT_EQ(malformed(text), "");
  EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, HasSubstr("&lt;img onerror=x&gt;"));
}

TEST_F(Page, OfARunWithoutAnyLogHasNoChartButItsRow) {
  const TemporaryFolder folder;
  MadeUpRun{}.write(folder / "fresh");
  const auto text = html_page(runs_below(folder), {});
  EXPECT_EQ(malformed(text), "");
  EXPECT_THAT(text, Not(HasSubstr("<figure")));
  EXPECT_THAT(text, HasSubstr("0\u00a0of\u00a020"));
}

TEST_F(Page, ChartsHoldTheirNumbersForTheReadout) {
  const auto text = page();
  const std::string begin = "<script type=\"application/json\">";
  const auto from = text.find(begin) + begin.size();
  const auto data = nlohmann::json::parse(text.substr(from, text.find("</script>", from) - from));
  EXPECT_EQ(data["series"][0]["label"], "MPNN");
  EXPECT_EQ(data["series"][0]["points"], nlohmann::json::parse("[[0, 25, 0], [10, 60, 10]]"));
}

TEST_F(Page, IsWrittenByTheCommandWithMarkdownAndCsvBesideIt) {
  const TemporaryFolder out;
  const auto html = (out / "new/report.html").string();
  const auto answer =
      test::run_npq({"report", folder_.path().string(), "--out", html, "--markdown",
                     (out / "report.md").string(), "--csv", (out / "runs.csv").string()});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, ::testing::EndsWith("\n" + html + "\n"));
  EXPECT_EQ(malformed(file_content(html)), "");
  EXPECT_THAT(file_content(out / "report.md"), HasSubstr("| dijkstra | MPNN + NPQ_W | 1 "));
  EXPECT_THAT(file_content(out / "runs.csv"), HasSubstr(",dijkstra,mpnn,npq_w,1,11,20,0,0.8,10,"));
}

TEST_F(Page, HasNoPictureWhereThereIsNothingToDraw) {
  const TemporaryFolder out;
  const auto path = (out / "bars.svg").string();
  const auto answer = test::run_npq({"report", folder_.path().string(), "--picture", path});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.err, HasSubstr("npq: no picture is made"));
  EXPECT_THAT(answer.out, Not(HasSubstr(path)));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(test::run_npq({"report", folder_.path().string(), "--picture", "x.png"}).exit_code, 2);
}

TEST(ReportCommand, SaysInOneSentenceThatAFolderHasNoRuns) {
  const TemporaryFolder folder;
  const auto answer = test::run_npq({"report", folder.path().string()});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, ::testing::StartsWith("npq: there is no run in '"));
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
}

}  // namespace
}  // namespace npq::report
