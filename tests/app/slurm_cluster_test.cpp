// npq experiment submit --slurm, against a real slurmctld and slurmd.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/ranks.h"
#include "tests/support/slurm.h"

namespace npq::test {
namespace {

using nlohmann::json;
using test::file_content;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Slurm : public ::testing::Test {
 protected:
  Slurm() {
    test::put_file(folder_ / "tiny.json", R"({
      "title": "Tiny", "seeds": [1], "steps": 60, "sizes": [4],
      "flags": {"hidden": 8, "batch": 2, "evaluate-every": 20},
      "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"], "methods": [
        {"name": "Baseline", "flags": {"memory": "none"}},
        {"name": "Oracle like", "flags": {"memory": "npq_m"}}]}]})");
  }
  CommandAnswer call(const std::string& command, std::vector<std::string> more = {}) const {
    std::vector<std::string> args = {
        "experiment", command, (folder_ / "tiny.json").string(), "--out", out(), "--samples", "2"};
    args.insert(args.end(), more.begin(), more.end());
    return run_npq(args);
  }
  std::string out() const { return (folder_ / "out").string(); }
  json status(std::vector<std::string> more = {}) const {
    more.emplace_back("--json");
    return json::parse(call("status", more).out);
  }
  std::string logs() const {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out/slurm"))
      all += file_content(entry.path());
    return all;
  }

  /// A training by one process, and the same words for several.
  void train_alone(const std::string& steps) const {
    const auto alone = run_npq(shared_training({"--out", (folder_ / "alone").string()}, steps));
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
  }
  std::vector<std::string> ranks_words(const std::string& steps) const {
    auto words = shared_training({"--out", (folder_ / "ranks").string()}, steps);
    words.insert(words.begin(), npq_program());
    return words;
  }
  void expect_same_weights() const {
    const auto weights = file_content(folder_ / "alone" / "last.safetensors");
    EXPECT_NE(weights, "");
    EXPECT_TRUE(weights == file_content(folder_ / "ranks" / "last.safetensors"));
  }
  void wait_until_put_back() {
    while (slurm_.ask("squeue", {"--noheader", "--format=%t"}) != "PD\n")
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  /// A job that was put back does not wait.
  void begin_again(const std::string& job) {
    // Slurm lets a requeued job wait for two minutes, and tells the credentials of its turns apart
    // by the second: what starts in the second in which the first turn ended is taken for it.
    std::this_thread::sleep_for(std::chrono::seconds(2));
    slurm_.ask("scontrol", {"update", "jobid=" + job, "starttime=now"});
    slurm_.wait_until_idle();
  }

  LoopbackSlurm slurm_;
  test::TemporaryFolder folder_;
};

TEST_F(Slurm, APlanRunsAsAJobArrayAndStatusReadsItBack) {
  const auto submitted = call("submit", {"--slurm"});
  ASSERT_EQ(submitted.exit_code, 0) << submitted.err;
  EXPECT_THAT(submitted.out,
              AllOf(HasSubstr("#SBATCH --array=0-1\n"), HasSubstr("Submitted batch job 1"),
                    HasSubstr("npq experiment status")));
  slurm_.wait_until_idle();
  for (const auto& run : status()) EXPECT_EQ(run["state"], "done") << run << logs();
  EXPECT_THAT(call("submit", {"--slurm"}).out, HasSubstr("nothing to submit"));
}

TEST_F(Slurm, ATaskWhoseTimeIsUpSavesItsStateAndGoesOnAfterItsRequeue) {
  const std::vector<std::string> longer = {"--only", "Baseline", "--steps", "400"};
  auto submit = longer;
  submit.emplace_back("--slurm");
  ASSERT_EQ(call("submit", submit).exit_code, 0);
  const auto log = folder_ / "out/bfs/mpnn/Baseline/seed1/metrics.jsonl";
  while (lines_in(log) < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  // What Slurm itself sends some time before the end.
  slurm_.ask("scancel", {"--batch", "--signal=USR1", "1_0"});
  wait_until_put_back();
  EXPECT_EQ(status(longer)[0]["state"], "stopped");
  begin_again("1_0");
  EXPECT_EQ(status(longer)[0]["state"], "done") << logs();
  EXPECT_THAT(logs(), HasSubstr("bfs/mpnn/Baseline/seed1: goes on from step"));
}

TEST_F(Slurm, SrunStartsTheRanksOfOneRun) {
  train_alone("40");
  auto words = ranks_words("40");
  words.insert(words.begin(), "--ntasks=2");
  const auto answer = run_program("/usr/bin/srun", words);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  expect_same_weights();
}

TEST_F(Slurm, ARunOfSeveralRanksGoesOnByItselfWhenItsJobIsRequeued) {
  train_alone("600");
  std::string script = "#!/bin/bash\nexec srun";
  for (const auto& word : ranks_words("600")) script += " " + word;
  put_file(folder_ / "job.sh", script + "\n");
  slurm_.ask("sbatch",
             {"--requeue", "--ntasks=2", "--open-mode=append",
              "--output=" + (folder_ / "job.log").string(), (folder_ / "job.sh").string()});
  while (!std::filesystem::exists(folder_ / "ranks" / "state.safetensors")) {
    ASSERT_NE(slurm_.ask("squeue", {"--noheader"}), "") << file_content(folder_ / "job.log");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  slurm_.ask("scontrol", {"requeue", "1"});
  wait_until_put_back();
  begin_again("1");
  expect_same_weights();
  EXPECT_THAT(file_content(folder_ / "job.log"), testing::Not(HasSubstr("already holds a run")));
}

TEST_F(Slurm, EachTaskOfAnArrayCanHaveSeveralRanks) {
  const std::vector<std::string> shared = {"--only", "Oracle", "--set", "batch=32"};
  auto submit = shared;
  submit.insert(submit.end(), {"--slurm", "--ranks", "2"});
  const auto submitted = call("submit", submit);
  ASSERT_EQ(submitted.exit_code, 0) << submitted.err;
  EXPECT_THAT(submitted.out, HasSubstr("#SBATCH --ntasks=2\n"));
  slurm_.wait_until_idle();
  EXPECT_EQ(status(shared)[0]["state"], "done") << logs();
}

TEST_F(Slurm, TheDryRunSubmitsNothing) {
  const auto answer = call("submit", {"--slurm", "--dry-run"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(file_content(folder_ / "out/slurm/submit.sh"), HasSubstr("#SBATCH --array=0-1"));
  EXPECT_EQ(slurm_.ask("squeue", {"--noheader"}), "");
  EXPECT_EQ(call("submit").exit_code, 2);
}

}  // namespace
}  // namespace npq::test
