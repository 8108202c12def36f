// Where the output of npq goes nowhere: a pipe that nobody reads, a full disk.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/peptides/made_up_dataset.h"
#include "tests/support/killable.h"

namespace npq::test {
namespace {

using test::file_content;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kClosedPipe = 141;  // what shells say of a program that SIGPIPE ended

/// Puts these descriptors on a pipe that nobody reads, as behind `npq ... 2>&1 | head -1` once head
/// has its line.
void close_pipe(const std::vector<int>& outputs) {
  int ends[2];
  if (pipe(ends) != 0) _exit(126);
  for (const int output : outputs) dup2(ends[1], output);
  close(ends[0]);
  close(ends[1]);
}

CommandAnswer unread(const std::vector<std::string>& args,
                     const std::vector<int>& outputs = {STDOUT_FILENO, STDERR_FILENO}) {
  return run_npq(args, [&] { close_pipe(outputs); });
}

class Output : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> training(const std::string& out) const {
    return {"train", "--algorithm", "bfs", "--hidden",  "4", "--batch", "2",    "--evaluate-every",
            "2",     "--steps",     "400", "--threads", "1", "--out",   at(out)};
  }
  test::TemporaryFolder folder_;
};

TEST_F(Output, AClosedPipeEndsEveryCommandQuietly) {
  test::put_file(folder_ / "x", "");
  const std::vector<std::vector<std::string>> commands = {
      {},
      {"--help"},
      {"train", "--help"},
      {"train", "--print-config"},
      {"train", "--dry-run", "--batch", "2", "--hidden", "4", "--threads", "1"},
      {"data", "list"},
      {"data", "list", "--json"},
      {"data", "show", "insertion_sort", "--nodes", "40"},
      {"data", "verify", "bfs"},
      {"data", "export", "bfs", "--samples", "2", "--out", at("data")},
      {"info"},
      {"prove", "--only", "reduction", "--memory", "npq_m", "--sequences", "2"},
      {"experiment", "list"},
      {"experiment", "run", "dijkstra", "--dry-run"}};
  for (const auto& command : commands)
    EXPECT_EQ(unread(command).exit_code, kClosedPipe) << ::testing::PrintToString(command);
  // What has nothing to say but a mistake keeps its exit code.
  EXPECT_EQ(unread({"dta"}).exit_code, 2);
  EXPECT_EQ(unread({"evaluate", at("nowhere")}).exit_code, 1);
}

TEST_F(Output, NothingIsSaidOfAClosedPipe) {
  const auto answer = unread({"data", "list"}, {STDOUT_FILENO});
  EXPECT_EQ(answer.exit_code, kClosedPipe);
  EXPECT_THAT(answer.err, IsEmpty());
}

TEST_F(Output, ATrainingRunWhoseOutputNobodyReadsSavesItsStateAsWithCtrlC) {
  EXPECT_EQ(unread(training("run")).exit_code, kClosedPipe);
  EXPECT_EQ(lines_in(folder_ / "run" / "metrics.jsonl"), 2);  // the first update, its validation
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "state.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run" / "result.json"));
  const auto resumed = run_npq({"train", "--resume", at("run"), "--steps", "4", "--threads", "1"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("going on with step 1\n"));
}

TEST_F(Output, WhereOnlyStandardOutputIsClosedTheOtherSaysHowToGoOn) {
  const auto answer = unread(training("run"), {STDOUT_FILENO});
  EXPECT_EQ(answer.exit_code, kClosedPipe);
  EXPECT_THAT(answer.err,
              HasSubstr("stopped before step 1; go on with: npq train --resume " + at("run")));
}

TEST_F(Output, WithoutStandardOutputNoFileOfTheRunTakesItsPlace) {
  const auto answer = run_npq({"train", "--algorithm", "bfs", "--hidden", "4", "--batch", "2",
                               "--steps", "1", "--threads", "1", "--out", at("run")},
                              [] { close(STDOUT_FILENO); });
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(file_content(folder_ / "run" / ".lock"), "");
}

TEST_F(Output, PeptidesTrainSavesItsStateToo) {
  std::filesystem::create_directory(folder_ / "data");
  peptides::save_dataset(folder_ / "data", test::made_up_dataset(30));
  const auto answer =
      unread({"peptides", "train", "--data", at("data"), "--processor", "gcn", "--hidden", "8",
              "--batch", "8", "--epochs", "400", "--threads", "1", "--out", at("run")});
  EXPECT_EQ(answer.exit_code, kClosedPipe);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "state.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run" / "result.json"));
}

TEST_F(Output, AnExperimentWhoseOutputNobodyReadsStopsAsWithCtrlC) {
  const std::vector<std::string> args = {
      "experiment", "run",     "dijkstra", "--only",    "Baseline",         "--seeds",
      "1",          "--steps", "100000",   "--set",     "hidden=4,batch=2", "--threads",
      "1",          "--out",   at("runs"), "--results", at("results")};
  EXPECT_EQ(unread(args).exit_code, kClosedPipe);  // at its plan: nothing is begun
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  const auto answer = unread(args, {STDERR_FILENO});  // when it says that a run has started
  EXPECT_EQ(answer.exit_code, kClosedPipe);
  EXPECT_THAT(answer.out, HasSubstr("1 run of 100000 steps"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(Output, AFullDiskBehindStandardOutputIsOneSentence) {
  const auto into_full_disk = [](const std::vector<std::string>& args) {
    return run_npq(args, [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  };
  for (const std::vector<std::string>& args : {std::vector<std::string>{"--help"},
                                               {"--version"},
                                               {"train", "--print-config"},
                                               {"data", "list"},
                                               {"data", "list", "--json"},
                                               {"info"}}) {
    const auto answer = into_full_disk(args);
    EXPECT_EQ(answer.exit_code, 1) << ::testing::PrintToString(args);
    EXPECT_EQ(answer.err, "npq: cannot write the output: No space left on device\n");
  }
  // A run is not lost for want of a place for its words.
  const auto trained = into_full_disk(training("run"));
  EXPECT_EQ(trained.exit_code, 1);
  EXPECT_THAT(trained.err, HasSubstr("cannot write the output"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "state.safetensors"));
}

}  // namespace
}  // namespace npq::test
