// The batch script, as text and under a shell; tests/app/slurm_cluster_test.cpp gives it to a real Slurm.
#include "npq/experiment/slurm.h"

#include <gmock/gmock.h>

#include "tests/experiment/fake_program.h"
#include "tests/support/error_text.h"
#include "tests/support/run_command.h"

namespace npq::experiment {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(TaskRanges, AreWrittenAsSlurmReadsThem) {
  EXPECT_EQ(task_ranges(std::vector{0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(task_ranges(std::vector{3}), "3");
  EXPECT_EQ(task_ranges({}), "");
}

TEST(OpenTasks, AreTheRunsThatAreNotFinished) {
  const TemporaryFolder folder;
  const FakeProgram program;
  const Places places{folder.path(), {}};
  const RunnerOptions options{.places = places, .program = program.path()};
  work_through(small_plan({.only = "dfs.*Base"}), options, {});
  EXPECT_THAT(open_tasks(small_plan(), places), ElementsAre(0, 1, 3));
}

SlurmOptions options_in(const TemporaryFolder& folder, const std::string& program) {
  return {.program = program,
          .words = {"my tables.json", "--only", "a|b"},
          .folder = folder.path(),
          .out = folder / "out",
          .threads = 2,
          .memory = "",
          .time = "01:00:00",
          .partition = "",
          .further = {"--account=mine"}};
}

TEST(BatchScript, AsksForWhatARunNeedsAndNoMore) {
  const TemporaryFolder folder;
  const auto script =
      batch_script(small_plan(), std::vector{0, 1, 3}, options_in(folder, "/opt/npq"));
  EXPECT_THAT(script,
              AllOf(HasSubstr("#SBATCH --array=0-1,3\n"), HasSubstr("--cpus-per-task=2\n"),
                    HasSubstr("#SBATCH --time=01:00:00\n"), HasSubstr("#SBATCH --requeue\n"),
                    HasSubstr("#SBATCH --account=mine\n"), Not(HasSubstr("--mem")),
                    HasSubstr("/opt/npq experiment run 'my tables.json' --only 'a|b' "
                              "--task \"$SLURM_ARRAY_TASK_ID\" --threads 2 &\n")));
}

TEST(BatchScript, AsksForAsManyTasksAsARunHasRanks) {
  const TemporaryFolder folder;
  auto options = options_in(folder, "npq");
  options.ranks = 4;
  EXPECT_THAT(batch_script(small_plan(), std::vector{0}, options),
              AllOf(HasSubstr("#SBATCH --ntasks=4\n"), HasSubstr("--cpus-per-task=2\n"),
                    HasSubstr(" --ranks 4 --task ")));
}

TEST(BatchScript, RefusesWhatWouldBeAnotherLine) {
  const TemporaryFolder folder;
  auto options = options_in(folder, "npq");
  options.memory = "4G\nrm";
  EXPECT_THAT(error_text([&] { batch_script(small_plan(), std::vector{0}, options); }),
              HasSubstr("--mem"));
  options = options_in(folder, "npq");
  options.further = {"account"};
  EXPECT_THAT(error_text([&] { batch_script(small_plan(), std::vector{0}, options); }),
              HasSubstr("--account=mine"));
}

/// Runs the script as a node would, with a worker in npq's place and a scontrol that writes down
/// what it is asked. `signal` is sent to the script once the worker is ready.
struct Played {
  int exit_code;
  bool requeued;
};
Played play(const std::string& worker, const std::string& signal) {
  const TemporaryFolder folder;
  put_file(folder / "npq", "#!/bin/bash\ncd '" + folder.path().string() + "'\n" + worker);
  put_file(folder / "scontrol",
           "#!/bin/bash\necho \"$*\" > '" + (folder / "asked").string() + "'\n");
  put_file(folder / "job.sh",
           batch_script(small_plan(), std::vector{0}, options_in(folder, folder / "npq")));
  for (const auto* name : {"npq", "scontrol"})
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  const auto here = folder.path().string();
  const auto answer = test::run_program(
      "/bin/bash", {"-c", "cd " + here + "; export PATH=" + here +
                              ":$PATH SLURM_ARRAY_TASK_ID=0 SLURM_JOB_ID=17; bash job.sh & job=$!; "
                              "if [ -n '" +
                              signal +
                              "' ]; then while [ ! -e ready ]; do sleep 0.01; "
                              "done; kill -" +
                              (signal.empty() ? "0" : signal) + " $job; fi; wait $job"});
  return {answer.exit_code, test::file_content(folder / "asked") == "requeue 17\n"};
}

TEST(BatchScript, HandsOnTheExitCode) {
  EXPECT_EQ(play("exit 0\n", "").exit_code, 0);
  const auto failed = play("exit 1\n", "");
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_FALSE(failed.requeued);
}

TEST(BatchScript, PutsItselfBackWhenItsTimeIsUpUnlessTheRunIsFinished) {
  const std::string stops = "trap 'exit 1' TERM; touch ready; while :; do sleep 0.01; done\n";
  EXPECT_TRUE(play(stops, "USR1").requeued);
  const auto cancelled = play(stops, "TERM");
  EXPECT_FALSE(cancelled.requeued);
  EXPECT_EQ(cancelled.exit_code, 1);
  const std::string finishes = "trap 'exit 0' TERM; touch ready; while :; do sleep 0.01; done\n";
  const auto finished = play(finishes, "USR1");
  EXPECT_FALSE(finished.requeued);
  EXPECT_EQ(finished.exit_code, 0);
}

}  // namespace
}  // namespace npq::experiment
