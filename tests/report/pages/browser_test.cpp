// The page in a real browser: nothing breaks, nothing sticks out, and the charts answer.
#include <gmock/gmock.h>

#include "npq/report/pages/page.h"
#include "tests/report/made_up_run.h"
#include "tests/support/browser.h"

namespace npq::report {
namespace {

using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// Models of the paper's first table, tested at two sizes.
std::string a_page() {
  const TemporaryFolder folder;
  const auto add = [&](const std::string& memory, const std::string& method, int seed,
                       double score) {
    const auto run = folder / (memory + std::to_string(seed));
    const auto test = [&](const char* checkpoint, int size, double value) {
      return fmt::format(R"({{"checkpoint": "{}", "size": {}, "samples": 2, "score": {{"value": {},
        "low": 0.1, "high": 0.9}}, "sample_scores": [{}, {}]}})",
                         checkpoint, size, value, value - 0.1, value + 0.1);
    };
    MadeUpRun{.memory = memory,
              .seed = seed,
              .metrics = log_of(0.25, score) + "{\"step\":10,\"memory\":{\"alive\":2}}\n",
              .result = "{\"steps\": 20, \"seconds\": 4.5}",
              .evaluation = "{\"evaluations\": [" + test("best", 64, score) + "," +
                            test("best", 256, score - 0.1) + "," + test("last", 256, score) + "]}"}
        .write(run);
    put_file(run / "experiment.json", "{\"key\": \"dijkstra/mpnn/" + method + "/seed" +
                                          std::to_string(seed) +
                                          "\", \"flags\": {}, \"peak_bytes\": 1500000000}");
  };
  add("none", "Baseline", 1, 0.5);
  add("none", "Baseline", 2, 0.6);
  add("npq_w", "NPQ_W", 1, 0.7);
  const std::vector<std::filesystem::path> asked = {folder.path()};
  return html_page(read_runs(asked), {.made_by = "test", .command = "npq report x"});
}

// A visitor at the first chart: to the right, reads, to the left, reads.
constexpr const char* kReader = R"js(
const chart = document.querySelector('.chart'), readout = chart.querySelector('.readout');
chart.focus();
const read = key => {
  chart.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  return readout.style.display + ' ' + readout.innerText.replaceAll('\n', ' ');
};
document.title = [chart.querySelector('figcaption').textContent.trim(), read('ArrowRight'), read('ArrowLeft'),
  'wide ' + (document.documentElement.scrollWidth > document.documentElement.clientWidth),
  'bars ' + document.querySelectorAll('.bars .bar').length].join(' | ');
)js";

TEST(InABrowser, TheChartsAnswerToKeysAndNothingIsWrong) {
  const auto visit = test::visit(a_page(), 1200, kReader);
  EXPECT_EQ(visit.console, "");
  // Score against size comes first.
  EXPECT_THAT(
      visit.title,
      AllOf(HasSubstr(
                "Test score, best model percent; dots: seeds | block nodes, by factors of two 256"),
            HasSubstr("45 ± 5 MPNN"), HasSubstr("60 MPNN + NPQ_W"),
            HasSubstr("| block nodes, by factors of two 64"), HasSubstr("55 ± 5 MPNN"),
            HasSubstr("70 MPNN + NPQ_W"), HasSubstr("wide false"), HasSubstr("bars 6")));
}

TEST(InABrowser, NothingSticksOutOnAPhone) {
  const auto visit = test::visit(a_page(), 400, kReader);
  EXPECT_EQ(visit.console, "");
  EXPECT_THAT(visit.title, HasSubstr("wide false"));
}

/// How many tables stick out of their places, how many places there are, and how many say so.
constexpr const char* kTables = R"js({
const tables = [...document.querySelectorAll('.scroll')];
const out = tables.filter(t => t.scrollWidth > t.clientWidth), cues = tables.filter(t => t.nextElementSibling.offsetHeight > 0);
document.title = `${out.length} of ${tables.length} stick out, ${cues.length} say so`;
})js";

TEST(InABrowser, TheTablesOfOurResultsFitOrSayThatTheyScroll) {
  for (const auto* name : {"dijkstra", "deviations", "league", "peptides"}) {
    const std::vector<std::filesystem::path> asked = {std::filesystem::path(NPQ_SOURCE_DIR) /
                                                      "results" / name};
    const auto page = html_page(read_runs(asked), {.made_by = "test", .command = "npq report x"});
    // That of the single runs has an interval for every test set.
    EXPECT_THAT(test::visit(page, 1200, kTables).title,
                AnyOf(MatchesRegex("0 of . stick out, 0 say so"),
                      MatchesRegex("1 of . stick out, 1 say so")))
        << name;
    EXPECT_THAT(test::visit(page, 400, kTables).title, MatchesRegex("0 of . stick out, 0 say so"))
        << name;
  }
}

TEST(InABrowser, ATableThatIsWiderThanThePageSaysSoUntilItsEndIsSeen) {
  Table wide;
  wide.rows.emplace_back();
  for (int c = 0; c < 40; ++c) {
    wide.columns.push_back({"column"});
    wide.rows[0].emplace_back("0123456789");
  }
  const auto page = html_begin("wide") + html_table(wide) + html_end("npq");
  EXPECT_EQ(test::visit(page, 1200, kTables).title, "1 of 1 stick out, 1 say so");
  EXPECT_EQ(test::visit(page, 1200,
                        "const t = document.querySelector('.scroll'); t.scrollLeft = 9999; "
                        "t.dispatchEvent(new Event('scroll'));" +
                            std::string(kTables))
                .title,
            "1 of 1 stick out, 0 say so");
}

TEST(InABrowser, AnErrorOnAPageWouldBeSeen) {
  const auto visit = test::visit("<!DOCTYPE html><html><body></body></html>", 400, "nonsense();");
  EXPECT_THAT(visit.console, HasSubstr("nonsense is not defined"));
}

}  // namespace
}  // namespace npq::report
