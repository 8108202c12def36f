// Working through a plan, with a program in npq's place that takes no time.
#include "npq/experiment/runner.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <thread>

#include "npq/experiment/claim.h"
#include "npq/experiment/committed.h"
#include "tests/experiment/fake_program.h"

namespace npq::experiment {
namespace {

using npq::test::file_content;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Runner : public ::testing::Test {
 protected:
  Places places() const { return {folder_ / "out", folder_ / "results"}; }
  RunnerOptions options(const FakeProgram& program, int workers = 1) const {
    return {.places = places(), .program = program.path(), .workers = workers, .threads = 3};
  }
  State state(const Plan& plan, std::size_t run) const {
    return status_of(plan, plan.runs[run], places()).state;
  }
  std::filesystem::path folder_of(const PlannedRun& run) const {
    return folder_ / "out" / run.folder();
  }

  TemporaryFolder folder_;
};

TEST_F(Runner, TrainsAndTestsEveryRunOnce) {
  const FakeProgram program;
  const auto plan = small_plan();
  const auto outcome = work_through(plan, options(program, 2), {});
  EXPECT_EQ(outcome.finished, 4);
  EXPECT_THAT(outcome.failed, IsEmpty());
  for (std::size_t run = 0; run < 4; ++run) EXPECT_EQ(state(plan, run), State::Done);
  EXPECT_EQ(program.count("train"), 4);
  EXPECT_EQ(program.count("evaluate"), 8) << "two sizes of each";
  EXPECT_THAT(program.calls(),
              ::testing::Contains("train --out " + folder_of(plan.runs[1]).string() +
                                  " --algorithm bfs --processor mpnn --seed 1 --steps 5 --hidden 4 "
                                  "--memory oracle --quiet --threads 3"));
  EXPECT_THAT(program.calls(),
              ::testing::Contains("evaluate " + folder_of(plan.runs[1]).string() +
                                  " --json --no-save --sizes 4 --quiet --threads 3"));
}

TEST_F(Runner, WhatIsFinishedIsNotDoneAgain) {
  const FakeProgram program;
  work_through(small_plan(), options(program), {});
  const auto before = program.calls().size();
  EXPECT_EQ(work_through(small_plan(), options(program), {}).finished, 4);
  EXPECT_EQ(program.calls().size(), before);
}

TEST_F(Runner, FurtherSizesAreTestedWithoutTrainingAgain) {
  const FakeProgram program;
  work_through(small_plan(), options(program), {});
  const auto more = small_plan({.only = "bfs.*Baseline", .sizes = {4, 16}});
  EXPECT_EQ(state(more, 0), State::Trained);
  EXPECT_EQ(work_through(more, options(program), {}).finished, 1);
  EXPECT_EQ(program.count("train"), 4);
  EXPECT_EQ(program.count("evaluate"), 9);
}

TEST_F(Runner, MoreStepsGoOnAndAreTestedAgain) {
  const FakeProgram program;
  work_through(small_plan({.only = "bfs.*Base"}), options(program), {});
  const auto more = small_plan({.only = "bfs.*Base", .steps = 10});
  EXPECT_EQ(state(more, 0), State::Stopped);
  work_through(more, options(program), {});
  EXPECT_THAT(program.calls()[3],
              HasSubstr("train --resume " + folder_of(more.runs[0]).string() + " --steps 10"));
  EXPECT_EQ(program.count("evaluate"), 4);
}

TEST_F(Runner, ACrashIsForgivenOnce) {
  // The first call of all dies.
  const FakeProgram program("if mkdir \"$run/once\" 2>/dev/null; then kill -9 $$; fi");
  std::vector<std::string> crashes;
  const auto outcome = work_through(small_plan({.only = "bfs.*Base"}), options(program),
                                    {.event = [&](const Event& event) {
                                      if (event.kind == Event::Kind::Crashed)
                                        crashes.push_back(event.note);
                                    }});
  EXPECT_EQ(outcome.finished, 1);
  EXPECT_THAT(crashes, ElementsAre("training was killed by signal 9"));
  EXPECT_EQ(program.count("train"), 2);
}

TEST_F(Runner, ARunThatCrashesTwiceIsGivenUpWithItsLastWordsAndTheOthersGoOn) {
  const FakeProgram program(
      "if [[ $run == *dfs/mpnn/Base* ]]; then echo 'npq: the loss is NaN' >&2; exit 1; fi");
  const auto plan = small_plan();
  const auto outcome = work_through(plan, options(program), {});
  EXPECT_EQ(outcome.finished, 3);
  EXPECT_THAT(outcome.failed,
              ElementsAre("dfs/mpnn/Baseline/seed1: training ended with exit code 1: npq: the "
                          "loss is NaN"));
  EXPECT_EQ(state(plan, 2), State::Failed);
  EXPECT_EQ(program.count("train"), 5);
  // Whoever starts anew has done something about it.
  const FakeProgram repaired;
  EXPECT_EQ(work_through(plan, options(repaired), {}).finished, 4);
  EXPECT_EQ(repaired.count("train"), 1);
}

TEST_F(Runner, ATestThatFailsLosesOnlyItsOwnSize) {
  const FakeProgram program("if [[ $command == evaluate && $sizes == 8 ]]; then exit 1; fi");
  const auto plan = small_plan({.only = "bfs.*Base"});
  EXPECT_EQ(work_through(plan, options(program), {}).failed.size(), 1u);
  EXPECT_THAT(read_record(folder_of(plan.runs[0]))->evaluated->tests.sizes, ElementsAre(4));
  const FakeProgram repaired;
  EXPECT_EQ(work_through(plan, options(repaired), {}).finished, 1);
  EXPECT_THAT(repaired.calls(), ElementsAre(HasSubstr("--sizes 8 ")));
}

TEST_F(Runner, AnEvaluationIsThereWholeOrNotAtAll) {
  const FakeProgram program("if [[ $command == evaluate ]]; then echo '{\"evalu'; kill -9 $$; fi");
  const auto plan = small_plan({.only = "bfs.*Base"});
  EXPECT_THAT(work_through(plan, options(program), {}).failed,
              ElementsAre(HasSubstr("testing was killed by signal 9")));
  EXPECT_FALSE(std::filesystem::exists(folder_of(plan.runs[0]) / "evaluation.json"));
}

TEST_F(Runner, TwoRunnersShareTheWorkAndNoRunIsDoneTwice) {
  const FakeProgram program("sleep 0.05");
  const auto plan = small_plan({.seeds = {1, 2, 3}});
  Outcome other;
  std::thread beside([&] { other = work_through(plan, options(program), {}); });
  const auto own = work_through(plan, options(program), {});
  beside.join();
  EXPECT_EQ(own.finished, 12);
  EXPECT_EQ(other.finished, 12);
  EXPECT_EQ(program.count("train"), 12);
  EXPECT_EQ(program.count("evaluate"), 24);
}

TEST_F(Runner, AskedToStopItTellsItsWorkersAndTheNextOneGoesOn) {
  const FakeProgram program(
      "if [[ $command == train ]]; then echo '{\"steps\": 5}' > \"$run/config.json\"; "
      "trap 'touch \"$run/saved\"; exit 1' TERM; touch \"$run/ready\"; "
      "while [[ ! -e $0.go ]]; do sleep 0.01; done; fi");
  const auto plan = small_plan({.only = "bfs.*Base"});
  const auto folder = folder_of(plan.runs[0]);
  const auto outcome = work_through(
      plan, options(program),
      {.interrupts = [&] { return static_cast<int>(std::filesystem::exists(folder / "ready")); }});
  EXPECT_TRUE(outcome.stopped);
  EXPECT_THAT(outcome.failed, IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(folder / "saved"));
  EXPECT_EQ(state(plan, 0), State::Stopped);
  EXPECT_FALSE(Claim::is_taken(folder));
  put_file(program.path() + ".go", "");
  EXPECT_EQ(work_through(plan, options(program), {}).finished, 1);
  EXPECT_THAT(program.calls()[1], HasSubstr("train --resume"));
}

TEST_F(Runner, ARunOfOtherOptionsIsNotTouched) {
  const FakeProgram program;
  work_through(small_plan({.only = "bfs.*Base"}), options(program), {});
  const auto other = small_plan({.only = "bfs.*Base", .flags = {{"hidden", "8"}}});
  const auto outcome = work_through(other, options(program), {});
  EXPECT_THAT(outcome.failed, ElementsAre(AllOf(HasSubstr("holds a run with other options"),
                                                HasSubstr("choose another --out"))));
  const auto fewer = small_plan({.only = "bfs.*Base", .steps = 3});
  EXPECT_THAT(work_through(fewer, options(program), {}).failed,
              ElementsAre(HasSubstr("was asked for 5 steps, this plan asks for 3")));
  EXPECT_EQ(program.count("train"), 1);
}

TEST_F(Runner, ACommittedResultOfTheSameRunCountsAsFinished) {
  const FakeProgram program;
  const auto plan = small_plan({.only = "bfs"});
  const auto commit = [&](const std::string& hidden, int steps) {
    const auto file = committed_file(places().results, plan, plan.runs[0]);
    std::filesystem::create_directories(file.parent_path());
    put_file(
        file,
        R"({"format": "npq-result-1", "key": "bfs/mpnn/Baseline/seed1", "flags": {"hidden": ")" +
            hidden + R"("}, "steps": )" + std::to_string(steps) +
            R"(, "tests": [{"checkpoint": "best", "size": 4, "samples": 32},
                                      {"checkpoint": "best", "size": 8, "samples": 32}]})");
  };
  commit("4", 5);
  EXPECT_EQ(committed_file("r", plan, plan.runs[1]), "r/small/bfs/mpnn/Oracle_PQ/seed1.json");
  EXPECT_EQ(state(plan, 0), State::Committed);
  EXPECT_EQ(state(small_plan({.sizes = {16}}), 0), State::Waiting);
  commit("8", 5);
  EXPECT_EQ(state(plan, 0), State::Waiting);
  commit("4", 3);
  EXPECT_EQ(state(plan, 0), State::Waiting);
  commit("4", 5);
  EXPECT_EQ(work_through(plan, options(program), {}).finished, 2);
  EXPECT_EQ(program.count("train"), 1);
}

TEST_F(Runner, ACommittedResultCountsWithAllPlannedTestsOnly) {
  auto plan = small_plan({.only = "bfs.*Oracle", .sizes = {4}});
  const auto file = committed_file(places().results, plan, plan.runs[0]);
  std::filesystem::create_directories(file.parent_path());
  put_file(file, R"({"format": "npq-result-1", "key": "bfs/mpnn/Oracle PQ/seed1", "steps": 5,
            "flags": {"hidden": "4", "memory": "oracle"},
            "tests": [{"checkpoint": "best", "size": 4, "samples": 32, "ablations": {"zero": {}}}]})");
  auto& wanted = plan.runs[0].tests;
  EXPECT_EQ(state(plan, 0), State::Committed);
  wanted.ablate = {"zero"};
  EXPECT_EQ(state(plan, 0), State::Committed);
  wanted.ablate = {"zero", "empty"};
  EXPECT_EQ(state(plan, 0), State::Waiting);
  wanted.ablate.clear();
  wanted.samples = {{4, 16}};
  EXPECT_EQ(state(plan, 0), State::Waiting);
}

TEST_F(Runner, ACommittedResultOfAnotherExperimentCountsWhereItIsTheSameRun) {
  const auto plan = small_plan({.only = "bfs.*Base"});
  const auto file = places().results / "another/bfs/mpnn/Baseline/seed1.json";
  std::filesystem::create_directories(file.parent_path());
  const auto commit = [&](const std::string& hidden) {
    put_file(
        file,
        R"({"format": "npq-result-1", "key": "bfs/mpnn/Baseline/seed1", "flags": {"hidden": ")" +
            hidden + R"("}, "steps": 5,
            "tests": [{"checkpoint": "best", "size": 4, "samples": 32},
                      {"checkpoint": "best", "size": 8, "samples": 32}]})");
  };
  commit("8");
  EXPECT_EQ(state(plan, 0), State::Waiting);
  put_file(file, "torn");
  EXPECT_EQ(state(plan, 0), State::Waiting);
  commit("4");
  EXPECT_EQ(state(plan, 0), State::Committed);
  EXPECT_EQ(committed_result(places().results, plan, plan.runs[0]), file);
}

TEST_F(Runner, AClaimLivesAsLongAsAChildThatInheritedIt) {
  // The parent dies without a word; the child hears of it, takes its time, and lets go.
  const FakeProgram program(
      "trap '' TERM; touch \"$run/ready\"; while [[ ! -e $0.go ]]; do sleep "
      "0.01; done");
  const auto plan = small_plan({.only = "bfs.*Base"});
  const auto folder = folder_of(plan.runs[0]);
  const pid_t parent = fork();
  if (parent == 0) {
    work_through(plan, options(program), {});
    _exit(0);
  }
  while (!std::filesystem::exists(folder / "ready")) std::this_thread::yield();
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(Claim::is_taken(folder));
  EXPECT_EQ(Claim::take(folder).has_value(), false);
  put_file(program.path() + ".go", "");
  // Nobody is left to remove a lock, and nobody has to.
  EXPECT_EQ(work_through(plan, options(program), {}).finished, 1);
  EXPECT_FALSE(Claim::is_taken(folder));
  EXPECT_EQ(program.count("train"), 1);
}

}  // namespace
}  // namespace npq::experiment
