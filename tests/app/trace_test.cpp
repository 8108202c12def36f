// npq trace, as a user calls it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/browser.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using test::file_content;
using ::testing::HasSubstr;

class TraceCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_npq({"train", "--hidden", "4", "--batch", "2", "--steps", "1", "--threads", "1",
                       "--quiet", "--memory", "npq_w", "--out", run()})
                  .exit_code,
              0);
  }
  std::string run() const { return (folder_ / "run").string(); }
  test::TemporaryFolder folder_;
};

TEST_F(TraceCommandTest, WritesThePageOrAllOfItAsJson) {
  const auto page = (folder_ / "trace.html").string();
  const auto answer = run_npq({"trace", run(), "--nodes", "6", "--out", page});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, page + "\n");
  EXPECT_THAT(file_content(page), HasSubstr("dijkstra under the microscope"));
  const auto printed = run_npq({"trace", run(), "--nodes", "6", "--json"});
  const auto trace = nlohmann::json::parse(printed.out);
  EXPECT_EQ(trace["nodes"], 6);
  EXPECT_EQ(trace["memory"], "npq_w");
  EXPECT_EQ(trace["steps"].size(), trace["hints"]["d"]["true"].size());
  EXPECT_TRUE(trace["steps"][1]["memory"].contains("before"));
}

// A visitor: moves the slider to step 2, reads the strength of the first slot, and lets it play.
constexpr const char* kVisitor = R"js({
const slider = document.getElementById('time'), now = () => document.getElementById('now').textContent;
slider.value = 2;
slider.dispatchEvent(new Event('input'));
const seen = [now(), document.querySelector('#slots tr td:nth-child(3)').textContent,
  document.documentElement.scrollWidth > document.documentElement.clientWidth ? 'too wide' : 'fits'];
document.getElementById('play').click();
setTimeout(() => {
  document.title = seen.concat([now(), document.querySelectorAll('#graph circle').length]).join('|');
}, 800);
})js";

TEST_F(TraceCommandTest, InABrowserTheSliderMovesAndTheStepsPlay) {
  const auto page = (folder_ / "trace.html").string();
  ASSERT_EQ(run_npq({"trace", run(), "--nodes", "6", "--out", page}).exit_code, 0);
  const auto trace = nlohmann::json::parse(run_npq({"trace", run(), "--nodes", "6", "--json"}).out);
  const auto last = trace["steps"].size() - 1;
  const double strength = trace["steps"][2]["memory"]["after"]["strength"][0];
  for (const int width : {400, 1200}) {
    const auto visited = visit(file_content(page), width, kVisitor);
    EXPECT_EQ(visited.console, "");
    std::stringstream title(visited.title);
    std::vector<std::string> seen;
    for (std::string part; std::getline(title, part, '|');) seen.push_back(part);
    ASSERT_EQ(seen.size(), 5u) << title.str();
    EXPECT_EQ(seen[0], fmt::format("step 2 of {}", last));
    EXPECT_NEAR(std::stod(seen[1]), strength, 0.01 * strength);
    EXPECT_EQ(seen[2], "fits") << width;
    EXPECT_EQ(seen[3], fmt::format("step 3 of {}", last));  // played on, after 0.7 s
    EXPECT_EQ(seen[4], "6");
  }
}

TEST_F(TraceCommandTest, WhatCannotBeIsOneSentence) {
  for (const char* nodes : {"3", "65"}) {
    const auto answer = run_npq({"trace", run(), "--nodes", nodes});
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_THAT(answer.err, HasSubstr(fmt::format("--nodes is {}; expected 4 to 64", nodes)));
  }
  const auto none = run_npq({"trace", (folder_ / "nowhere").string()});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("there is no run folder"));
  const auto which = run_npq({"trace", run(), "--which", "all"});
  EXPECT_EQ(which.exit_code, 2);
  EXPECT_THAT(which.err, HasSubstr("known: best, last, average\n"));
  const auto out = run_npq({"trace", run(), "--out", run() + "/config.json/t.html"});
  EXPECT_EQ(out.exit_code, 1);
  EXPECT_THAT(out.err, HasSubstr("config.json"));
}

TEST_F(TraceCommandTest, MakesTheFolderOfThePage) {
  const auto page = (folder_ / "new" / "folder" / "t.html").string();
  EXPECT_EQ(run_npq({"trace", run(), "--nodes", "4", "--out", page}).exit_code, 0);
  EXPECT_THAT(file_content(page), HasSubstr("A test sample of 4 nodes"));
}

TEST_F(TraceCommandTest, ThePageNamesTheRunWithoutItsPlaceOnThisMachine) {
  const auto page = (folder_ / "t.html").string();
  ASSERT_EQ(run_npq({"trace", run() + "/", "--nodes", "4", "--out", page}).exit_code, 0);
  EXPECT_THAT(file_content(page), HasSubstr("of run, after update"));
  EXPECT_THAT(file_content(page), ::testing::Not(HasSubstr(folder_.path().string())));
}

TEST_F(TraceCommandTest, AFolderOfRunsNamesThem) {
  const auto answer = run_npq({"trace", folder_.path().string()});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, HasSubstr("is not a run folder, but holds some; give one of: " + run()));
}

}  // namespace
}  // namespace npq::test
