// npq experiment: what it says before it works, what it refuses, and what it remembers.
#include <gmock/gmock.h>
#include <pty.h>

#include <nlohmann/json.hpp>

#include "tests/support/killable.h"

namespace npq::test {
namespace {

using nlohmann::json;
using test::file_content;
using test::put_file;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class ExperimentPlan : public ::testing::Test {
 protected:
  ExperimentPlan() {
    put_file(folder_ / "tiny.json", R"({
      "title": "Tiny", "seeds": [1, 2], "steps": 120, "sizes": [4, 6],
      "flags": {"hidden": 8, "batch": 2},
      "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"], "methods": [
        {"name": "Baseline", "flags": {"memory": "none"}},
        {"name": "NPQ_W", "flags": {"memory": "npq_w"}}]}]})");
  }
  std::vector<std::string> args(const std::string& command,
                                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"experiment",
                                    command,
                                    (folder_ / "tiny.json").string(),
                                    "--results",
                                    (folder_ / "results").string(),
                                    "--out",
                                    out().string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  CommandAnswer call(const std::string& command, const std::vector<std::string>& more = {}) const {
    return run_npq(args(command, more));
  }
  /// One run of three steps, tested at these sizes.
  CommandAnswer run_one(const std::string& sizes, std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"--only",  "Base", "--seeds",   "2", "--steps",   "3",
                                    "--sizes", sizes,  "--samples", "2", "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return call("run", all);
  }
  std::filesystem::path out() const { return folder_ / "out"; }
  json scores() const {
    auto all = json::parse(file_content(out() / "bfs/mpnn/Baseline/seed2/evaluation.json"));
    for (auto& one : all["evaluations"]) one.erase("seconds");
    return all["evaluations"];
  }

  test::TemporaryFolder folder_;
};

TEST_F(ExperimentPlan, SizesTestedOneAfterTheOtherAreThoseTestedTogether) {
  ASSERT_EQ(run_one("6").exit_code, 0);
  const auto second = run_one("4");
  EXPECT_THAT(second.out, AllOf(HasSubstr("1 run of 3 steps"), HasSubstr("1 to do\n"),
                                HasSubstr("training is done, only tests remain\n")));
  EXPECT_THAT(run_one("6,4", {"--dry-run"}).out, HasSubstr("0 to do"));
  const auto apart = scores();
  std::filesystem::remove_all(out());
  ASSERT_EQ(run_one("4,6").exit_code, 0);
  EXPECT_EQ(apart, scores());
}

TEST_F(ExperimentPlan, TestsModelsWithoutPartsOfTheirMemoryAndSaysWhyTheyAreThere) {
  const auto file = [&](const std::string& ablate) {
    put_file(folder_ / "tiny.json", R"({
      "title": "Tiny", "seeds": [1], "steps": 3, "sizes": [4, 6], "samples": {"6": 2},
      "ablate": )" + ablate + R"(, "flags": {"hidden": 8, "batch": 2},
      "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"], "methods": [
        {"name": "Baseline", "flags": {"memory": "none"}},
        {"name": "NPQ_W", "flags": {"memory": "npq_w"}, "why": "does it use its queue?"}]}]})");
  };
  file(R"(["zera"])");
  EXPECT_THAT(call("run", {"--dry-run"}).err, HasSubstr("did you mean 'zero'"));
  file(R"(["none"])");
  EXPECT_THAT(call("run", {"--dry-run"}).err, HasSubstr("\"ablate\" holds none"));
  file(R"(["zero", "empty"])");
  EXPECT_THAT(call("run", {"--dry-run"}).out,
              AllOf(HasSubstr("NPQ_W   does it use its queue?"),
                    HasSubstr("size 4, 6 (2 graphs), also with --ablate zero,empty")));
  EXPECT_THAT(run_npq({"experiment", "list", (folder_ / "tiny.json").string()}).out,
              HasSubstr("does it use its queue?"));
  ASSERT_EQ(call("run", {"--threads", "1"}).exit_code, 0);
  const auto evaluations = [&](const std::string& method) {
    return json::parse(
        file_content(out() / "bfs/mpnn" / method / "seed1/evaluation.json"))["evaluations"];
  };
  for (const auto& one : evaluations("NPQ_W")) {
    EXPECT_EQ(one["samples"], one["size"] == 6 ? 2 : 32);
    EXPECT_TRUE(one["ablations"].contains("zero") && one["ablations"].contains("empty"));
  }
  for (const auto& one : evaluations("Baseline")) EXPECT_FALSE(one.contains("ablations"));
  // What is committed has them, too.
  EXPECT_EQ(call("collect").exit_code, 0);
  std::filesystem::remove_all(out());
  EXPECT_THAT(call("run", {"--dry-run"}).out, HasSubstr("0 to do"));
  const auto page = folder_ / "report.html";
  run_npq({"report", (folder_ / "results").string(), "--out", page.string()});
  EXPECT_THAT(file_content(page),
              AllOf(HasSubstr("What the memory is worth"), HasSubstr("does it use its queue?")));
}

TEST_F(ExperimentPlan, IsKeptInTheFolderForStatusAndCollect) {
  ASSERT_EQ(run_one("4", {"--quiet"}).exit_code, 0);
  const auto status = call("status", {"--workers", "2", "--threads", "1", "--quiet"});
  EXPECT_THAT(status.out,
              AllOf(HasSubstr("plan.json: --only Base --seeds 2 --sizes 4 --steps 3 --samples 2\n"),
                    HasSubstr("1 run, 1 done")));
  EXPECT_EQ(json::parse(call("status", {"--json"}).out)[0]["state"], "done");
  // The command line wins as a whole: all methods, 120 steps.
  const auto asked = call("status", {"--seeds", "2"}).out;
  EXPECT_THAT(asked, AllOf(HasSubstr("2 runs, 1 waiting, 1 stopped"), Not(HasSubstr("plan.json"))))
      << asked;
  EXPECT_THAT(call("collect").out, HasSubstr("1 result written, 0 were there, 0 of 1 run"));
  put_file(out() / "plan.json", "{\"form");
  const auto broken = call("status");
  EXPECT_EQ(broken.exit_code, 0);
  EXPECT_THAT(broken.err,
              AllOf(HasSubstr("plan.json' is malformed JSON"), HasSubstr("whole tiny")));
  EXPECT_THAT(broken.out, HasSubstr("4 runs, "));
}

TEST_F(ExperimentPlan, ShowsForeignRunsAsWhatTheyAreAndDoesNotPriceThem) {
  ASSERT_EQ(run_one("4").exit_code, 0);
  const auto answer = call("run", {"--dry-run", "--set", "hidden=16", "--threads", "1"});
  EXPECT_THAT(answer.out,
              AllOf(ContainsRegex("seeds +to do +foreign\n"),
                    ContainsRegex("bfs/mpnn/Baseline .* 1,2 +1 +1\n"),
                    ContainsRegex("bfs/mpnn/NPQ_W .* 1,2 +2 +0\n"),
                    HasSubstr("3 to do, 1 foreign\n"), HasSubstr("holds a run with other options"),
                    HasSubstr("training takes under a minute on 1 core (3 runs by stored")));
}

TEST_F(ExperimentPlan, RefusesWhatCannotBeBeforeAnythingIsMade) {
  const auto refusal = [&](std::vector<std::string> more) {
    more.emplace_back("--dry-run");
    const auto answer = call("run", more);
    EXPECT_EQ(answer.exit_code, 2) << more[1];
    EXPECT_FALSE(std::filesystem::exists(out()));
    return answer.err;
  };
  EXPECT_THAT(refusal({"--sizes", "8,1"}),
              HasSubstr("bfs cannot be tested at size 1; expected --sizes from 2"));
  EXPECT_THAT(refusal({"--sizes", "5000"}), HasSubstr("expected numbers from 1 to 4096"));
  EXPECT_THAT(refusal({"--task", "-1"}), HasSubstr("expected a number from 0 to 3"));
  EXPECT_THAT(refusal({"--seeds", ""}), HasSubstr("--seeds: is empty"));
  EXPECT_EQ(call("run", {"--only", "", "--dry-run"}).exit_code, 0);
}

TEST_F(ExperimentPlan, AFolderThatCannotBeMadeIsNamed) {
  put_file(folder_ / "file", "");
  const auto below = (folder_ / "file").string();
  const auto answer = run_npq(
      {"experiment", "run", (folder_ / "tiny.json").string(), "--out", below + "/a/b", "--quiet"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("'" + below + "' cannot be created: a file of that name"),
                                HasSubstr("choose another --out"), Not(HasSubstr("Baseline"))));
}

TEST_F(ExperimentPlan, WithoutSbatchTheScriptIsKeptAndNothingElse) {
  const std::string path = getenv("PATH");
  setenv("PATH", folder_.path().c_str(), 1);
  const auto answer = call("submit", {"--slurm"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("there is no sbatch here"), HasSubstr("login node"),
                                HasSubstr("out/slurm/submit.sh'")));
  EXPECT_TRUE(std::filesystem::exists(out() / "slurm/submit.sh"));
  EXPECT_FALSE(std::filesystem::exists(out() / "plan.json"));
}

TEST_F(ExperimentPlan, TheTimeLeftFitsOnANarrowTerminal) {
  winsize size = {};
  size.ws_row = 24, size.ws_col = 60;
  auto words = args("run", {"--steps", "100000", "--threads", "1"});
  words.insert(words.begin(), npq_program());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int screen = -1;
  const pid_t child = forkpty(&screen, nullptr, nullptr, &size);
  if (child == 0) {
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  bool asked = false;
  for (ssize_t got; (got = read(screen, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
    if (asked || text.find("  loss ") == text.npos) continue;
    kill(child, SIGINT);
    asked = true;
  }
  close(screen);
  waitpid(child, nullptr, 0);
  EXPECT_THAT(text, ContainsRegex("seed1  [0-9]+/100000 steps  [0-9a-z. ]+ left"));
}

}  // namespace
}  // namespace npq::test
