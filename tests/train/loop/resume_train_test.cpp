// Killing a run at any instant and resuming it gives the bits of a run that was never disturbed.
#include <gmock/gmock.h>

#include <random>
#include <sstream>

#include "tests/support/killable.h"

namespace npq::test {
namespace {

using test::file_content;
using ::testing::HasSubstr;
using ::testing::Not;

class Disturbed : public ::testing::Test {
 protected:
  std::string run(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<std::string> begin(const std::string& name, const std::string& steps) const {
    return {"train", "--hidden",          "32",    "--batch",
            "4",     "--steps",           steps,   "--evaluate-every",
            "20",    "--memory",          "npq_w", "--dropout",
            "0.1",   "--teacher-forcing", "0.3",   "--threads",
            "1",     "--quiet",           "--out", run(name)};
  }
  std::vector<std::string> resume(const std::string& name) const {
    return {"train", "--resume", run(name), "--threads", "1", "--quiet"};
  }
  void finish(const std::vector<std::string>& args) const {
    const auto answer = run_program(engine_program(), args);
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
  }
  /// Starts the run, or goes on with it where it has begun.
  std::vector<std::string> go_on(const std::string& name, const std::string& steps) const {
    const bool begun = std::filesystem::exists(folder_ / name / "config.json");
    return begun ? resume(name) : begin(name, steps);
  }
  /// All that must not depend on what happened on the way; times differ, of course.
  void expect_same(const std::string& a, const std::string& b) const {
    for (const char* file : {"last.safetensors", "best.safetensors", "average.safetensors"})
      EXPECT_TRUE(file_content(folder_ / a / file) == file_content(folder_ / b / file)) << file;
    EXPECT_EQ(lines_in(folder_ / a / "metrics.jsonl"), lines_in(folder_ / b / "metrics.jsonl"));
    EXPECT_EQ(table_without_times(a), table_without_times(b));
    EXPECT_EQ(file_content(folder_ / a / "events.out.tfevents.npq").size(),
              file_content(folder_ / b / "events.out.tfevents.npq").size());
    EXPECT_EQ(test::entries_in(folder_ / a), test::entries_in(folder_ / b));
  }

  /// metrics.csv without the column "seconds".
  std::string table_without_times(const std::string& name) const {
    std::istringstream rows(file_content(folder_ / name / "metrics.csv"));
    std::string table;
    std::ptrdiff_t times = -1;
    for (std::string row; std::getline(rows, row);) {
      std::istringstream cells(row);
      std::ptrdiff_t column = 0;
      for (std::string cell; std::getline(cells, cell, ','); ++column) {
        if (cell == "seconds") times = column;
        if (column != times) table += cell + ",";
      }
      table += "\n";
    }
    EXPECT_GT(times, 0);
    return table;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Disturbed, TwentyKillsLeaveNoTraceInTheWeights) {
  finish(begin("quiet", "200"));
  const auto lines = lines_in(folder_ / "quiet" / "metrics.jsonl");
  EXPECT_EQ(lines, 32);  // steps 0, 10, ..., 190, 199 and evaluations 0, 20, ..., 180, 199

  // Moments of progress, in order, so that the run gets on; each a little behind a line, so that
  // kills fall into updates, evaluations and the writing of files.
  std::mt19937 random(1);
  std::vector<std::ptrdiff_t> moments;
  for (int k = 0; k < 20; ++k) moments.push_back(static_cast<std::ptrdiff_t>(random() % 29));
  std::sort(moments.begin(), moments.end());
  int killed = 0;
  for (const auto moment : moments) {
    Process process(engine_program(), go_on("killed", "200"));
    process.wait_for([&] {
      return std::filesystem::exists(folder_ / "killed" / "config.json") &&
             lines_in(folder_ / "killed" / "metrics.jsonl") >= moment;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40000));
    process.send(SIGKILL);
    killed += process.wait() == 128 + SIGKILL;
  }
  EXPECT_EQ(killed, 20);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "killed" / "result.json"));
  finish(resume("killed"));
  expect_same("killed", "quiet");
}

TEST_F(Disturbed, CtrlCFinishesTheStepAndSaysHowToResume) {
  finish(begin("quiet", "60"));
  Process process(engine_program(), begin("stopped", "60"));
  ASSERT_TRUE(
      process.wait_for([&] { return lines_in(folder_ / "stopped" / "metrics.jsonl") >= 3; }));
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.printed(), HasSubstr("npq train --resume " + run("stopped")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "stopped" / "last.safetensors"));
  finish(resume("stopped"));
  expect_same("stopped", "quiet");
}

TEST_F(Disturbed, ASecondCtrlCStopsAtOnce) {
  // A batch whose update takes seconds: the state could not be written in between.
  Process process(engine_program(), {"train", "--batch", "512", "--threads", "1", "--quiet",
                                     "--out", run("stopped")});
  ASSERT_TRUE(
      process.wait_for([&] { return lines_in(folder_ / "stopped" / "metrics.jsonl") >= 2; }));
  process.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  EXPECT_THAT(process.printed(), Not(HasSubstr("--resume")));
}

TEST_F(Disturbed, TheNumberOfThreadsDoesNotShowInTheWeights) {
  // As large as in the paper: small tensors would never be split among threads.
  for (const char* threads : {"1", "2", "3"}) {
    finish({"train", "--steps", "3", "--evaluate-every", "2", "--memory", "npq_w", "--threads",
            threads, "--quiet", "--out", run(threads)});
  }
  expect_same("2", "1");
  expect_same("3", "1");
}

}  // namespace
}  // namespace npq::test
