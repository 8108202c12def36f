// npq experiment, as a user calls it: real training, real kills.
#include <gmock/gmock.h>

#include <fstream>
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

class ExperimentCommand : public ::testing::Test {
 protected:
  ExperimentCommand() {
    put_file(folder_ / "tiny.json", R"({
      "title": "Tiny", "seeds": [1], "steps": 120, "sizes": [4, 6],
      "flags": {"hidden": 8, "batch": 2, "evaluate-every": 20},
      "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"], "methods": [
        {"name": "Baseline", "flags": {"memory": "none"}},
        {"name": "NPQ_W", "flags": {"memory": "npq_w"}}]}]})");
  }
  std::vector<std::string> args(const std::string& command, const std::string& out,
                                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"experiment",
                                    command,
                                    (folder_ / "tiny.json").string(),
                                    "--out",
                                    (folder_ / out).string(),
                                    "--samples",
                                    "2",
                                    "--results",
                                    (folder_ / "results").string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  CommandAnswer call(const std::string& command, const std::string& out,
                     const std::vector<std::string>& more = {}) const {
    return run_npq(args(command, out, more));
  }
  std::filesystem::path run(const std::string& out, const std::string& method) const {
    return folder_ / out / "bfs" / "mpnn" / method / "seed1";
  }
  json scores(const std::string& out, const std::string& method) const {
    auto all = json::parse(file_content(run(out, method) / "evaluation.json"))["evaluations"];
    for (auto& one : all) one.erase("seconds");
    return all;
  }

  test::TemporaryFolder folder_;
};

/// The first child of a process; 0 if it has none.
pid_t child_of(pid_t parent) {
  const auto id = std::to_string(parent);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  pid_t child = 0;
  file >> child;
  return child;
}

TEST_F(ExperimentCommand, ShowsThePlanWithItsTimeAndTheDryRunStopsThere) {
  const auto answer = call("run", "dry", {"--dry-run", "--workers", "2", "--threads", "1"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("Tiny\n"),
                                ContainsRegex("bfs/mpnn/NPQ_W +--batch 2 .*--memory npq_w"),
                                HasSubstr("2 runs of 120 steps, tested at size 4 (2 graphs), 6"),
                                HasSubstr("on 2 cores"), HasSubstr("stored speeds of")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "dry"));
}

TEST_F(ExperimentCommand, KillingWorkersAndTheParentEndsWithTheSameNumbers) {
  ASSERT_EQ(call("run", "quiet", {"--quiet"}).exit_code, 0);
  {
    Process parent(npq_program(), args("run", "killed", {"--threads", "1"}));
    const auto log = run("killed", "Baseline") / "metrics.jsonl";
    ASSERT_TRUE(parent.wait_for([&] { return lines_in(log) >= 3; }));
    const auto worker = child_of(parent.id());
    ASSERT_GT(worker, 0);
    kill(worker, SIGKILL);
    const auto second = run("killed", "NPQ_W") / "metrics.jsonl";
    ASSERT_TRUE(parent.wait_for([&] { return lines_in(second) >= 3; })) << parent.printed();
    EXPECT_THAT(parent.printed(), HasSubstr("training was killed by signal 9; it is tried once"));
    parent.send(SIGKILL);
    parent.wait();
  }
  const auto again = call("run", "killed");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("bfs/mpnn/NPQ_W/seed1: "));
  EXPECT_THAT(again.err, Not(HasSubstr("Baseline")));
  for (const std::string method : {"Baseline", "NPQ_W"}) {
    EXPECT_TRUE(file_content(run("quiet", method) / "last.safetensors") ==
                file_content(run("killed", method) / "last.safetensors"))
        << method;
    EXPECT_EQ(lines_in(run("quiet", method) / "metrics.jsonl"),
              lines_in(run("killed", method) / "metrics.jsonl"));
    EXPECT_EQ(scores("quiet", method), scores("killed", method));
    EXPECT_EQ(scores("quiet", method).size(), 6u);  // best, last and average at two sizes
  }
}

TEST_F(ExperimentCommand, EndsWithTheScoresAndTheCommandOfTheReport) {
  const auto answer = call("run", "done", {"--only", "Baseline", "--steps", "2"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, ContainsRegex("bfs +MPNN +1 \\(one draw\\) +2 +[0-9.]+"));
  const auto out = (folder_ / "done").string();
  EXPECT_THAT(answer.out, ::testing::EndsWith("the report: npq report " + out + " --out " + out +
                                              "/report.html\n"));
}

TEST_F(ExperimentCommand, TwoOnOneFolderShareTheWork) {
  Process one(npq_program(), args("run", "shared", {"--threads", "1"}));
  Process two(npq_program(), args("run", "shared", {"--threads", "1"}));
  EXPECT_EQ(one.wait(), 0) << one.printed();
  EXPECT_EQ(two.wait(), 0) << two.printed();
  const auto all = one.printed() + two.printed();
  for (const std::string method : {"Baseline", "NPQ_W"}) {
    const auto line = "bfs/mpnn/" + method + "/seed1: finished";
    EXPECT_NE(all.find(line), all.npos) << all;
    EXPECT_EQ(all.find(line, all.find(line) + 1), all.npos) << all;
    EXPECT_EQ(lines_in(run("shared", method) / "metrics.jsonl"), 20);  // 13 losses, 7 validations
  }
}

TEST_F(ExperimentCommand, CtrlCLetsTheWorkersSaveTheirStateAndStatusSaysHowFarTheyAre) {
  Process parent(npq_program(), args("run", "stopped", {"--threads", "1", "--steps", "100000"}));
  const auto folder = run("stopped", "Baseline");
  ASSERT_TRUE(parent.wait_for([&] { return lines_in(folder / "metrics.jsonl") >= 3; }));
  const auto during = call("status", "stopped", {"--steps", "100000"});
  EXPECT_THAT(during.out, ContainsRegex("bfs/mpnn/Baseline +training 0%"));
  parent.send(SIGINT);
  EXPECT_EQ(parent.wait(), 1);
  EXPECT_THAT(parent.printed(), HasSubstr("stopped; the same command goes on"));
  EXPECT_TRUE(std::filesystem::exists(folder / "state.safetensors"));
  const auto after = call("status", "stopped", {"--steps", "100000", "--json"});
  const auto runs = json::parse(after.out);
  EXPECT_EQ(runs[0]["state"], "stopped");
  EXPECT_GE(runs[0]["step"], 10);
  EXPECT_EQ(runs[1]["state"], "waiting");
}

TEST_F(ExperimentCommand, AnOptionThatCannotBeIsRefusedBeforeTheFirstRun) {
  const auto answer = call("run", "wrong", {"--set", "memory=npq_v"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("npq_v"), HasSubstr("cannot run bfs/mpnn/Baseline")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong"));
  EXPECT_EQ(run_npq({"experiment", "run", "dijkstar"}).exit_code, 2);
}

TEST_F(ExperimentCommand, EveryOptionOfTheBuiltInExperimentsIsOneOfTrain) {
  for (const auto& one : json::parse(run_npq({"experiment", "list", "--json"}).out)) {
    const auto answer = run_npq(
        {"experiment", "run", one["name"], "--dry-run", "--out", (folder_ / "none").string()});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
  }
}

TEST_F(ExperimentCommand, OneTaskOfAPlanIsOneRun) {
  const auto answer = call("run", "task", {"--task", "1", "--steps", "3", "--threads", "1"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_TRUE(std::filesystem::exists(run("task", "NPQ_W") / "evaluation.json"));
  EXPECT_FALSE(std::filesystem::exists(run("task", "Baseline")));
  EXPECT_EQ(call("run", "task", {"--task", "2"}).exit_code, 2);
}

}  // namespace
}  // namespace npq::test
