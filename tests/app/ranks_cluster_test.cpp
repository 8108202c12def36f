// npq train and evaluate as several processes on this machine.
#include "tests/support/ranks.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "npq/train/ranks/address.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class RanksOfTrain : public ::testing::Test {
 protected:
  std::string run(const std::string& name) const { return (folder_ / name).string(); }
  std::string last(const std::string& name) const {
    return file_content(folder_ / name / "last.safetensors");
  }
  CommandAnswer train(std::vector<std::string> more, const std::string& steps = "40") const {
    return run_npq(shared_training(std::move(more), steps));
  }
  std::string refusal(const std::vector<std::string>& more, int exit_code) const {
    const auto answer = train(more);
    EXPECT_EQ(answer.exit_code, exit_code) << answer.err;
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    return answer.err;
  }
  /// Waits until a run has a state that it can go on with.
  bool has_state(Process& process, const std::string& name) const {
    return process.wait_for(
        [&] { return std::filesystem::exists(folder_ / name / "state.safetensors"); });
  }
  /// The ranks of a run in the environment of torchrun, of which each is told its own options.
  std::vector<std::unique_ptr<Process>> as_torchrun(
      const std::vector<std::vector<std::string>>& options) const {
    const auto port = "MASTER_PORT=" + std::to_string(train::free_port() - 1);
    std::vector<std::unique_ptr<Process>> ranks;
    for (std::size_t rank = 0; rank < options.size(); ++rank)
      ranks.push_back(torchrun_rank(
          {"RANK=" + std::to_string(rank), "WORLD_SIZE=" + std::to_string(options.size()),
           "MASTER_ADDR=127.0.0.1", port},
          shared_training(options[rank])));
    return ranks;
  }

  TemporaryFolder folder_;
};

TEST_F(RanksOfTrain, TwoWriteTheBitsOfOneAndPrintOnce) {
  const auto one = train({"--out", run("one")});
  const auto two = train({"--out", run("two"), "--ranks", "2"});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(last("one"), last("two"));
  EXPECT_EQ(std::count(two.out.begin(), two.out.end(), '\n'), 1) << two.out;
  EXPECT_EQ(two.err, "");
}

TEST_F(RanksOfTrain, EachKilledInTurnEndsTheOtherWithItsNameAndTheRunGoesOnWithAnyNumber) {
  ASSERT_EQ(train({"--out", run("one")}, "300").exit_code, 0);
  for (const std::size_t victim : {0, 1}) {
    const auto name = "killed" + std::to_string(victim);
    Process process(npq_program(), shared_training({"--out", run(name), "--ranks", "2"}, "300"));
    ASSERT_TRUE(has_state(process, name)) << process.printed();
    kill(children_of(process.id()).at(victim), SIGKILL);
    EXPECT_EQ(process.wait(), 1);
    EXPECT_THAT(process.printed(),
                AllOf(HasSubstr("rank " + std::to_string(victim) + " of 2"), HasSubstr("has ended"),
                      HasSubstr("npq train --resume " + run(name))));
    const auto words = process.printed();
    EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 1) << words;
    std::vector<std::string> resume = {"train", "--resume", run(name), "--quiet"};
    if (victim == 0) resume.insert(resume.end(), {"--ranks", "2"});
    EXPECT_EQ(run_npq(resume).exit_code, 0);
    EXPECT_EQ(last("one"), last(name));
  }
}

TEST_F(RanksOfTrain, OneThatHangsEndsTheOthersAfterTheTimeout) {
  Process process(
      npq_program(),
      shared_training({"--out", run("run"), "--ranks", "2", "--rank-timeout", "2"}, "100000"));
  ASSERT_TRUE(has_state(process, "run")) << process.printed();
  const auto hanging = children_of(process.id()).at(1);
  kill(hanging, SIGSTOP);
  process.wait_for([&] { return process.printed().find("rank 1 of 2") != std::string::npos; });
  EXPECT_THAT(process.printed(), HasSubstr("has not answered for 2 s"));
  kill(hanging, SIGKILL);  // or its parent would do it, a while later
  EXPECT_EQ(process.wait(), 1);
}

TEST_F(RanksOfTrain, CtrlCSavesTheStateOnceForAll) {
  ASSERT_EQ(train({"--out", run("one")}, "300").exit_code, 0);
  Process process(npq_program(), shared_training({"--out", run("run"), "--ranks", "2"}, "300"));
  ASSERT_TRUE(has_state(process, "run")) << process.printed();
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.printed(), HasSubstr("go on with: npq train --resume"));
  EXPECT_EQ(run_npq({"train", "--resume", run("run"), "--quiet"}).exit_code, 0);
  EXPECT_EQ(last("one"), last("run"));
}

TEST_F(RanksOfTrain, TheEnvironmentOfTorchrunIsUnderstood) {
  ASSERT_EQ(train({"--out", run("one")}).exit_code, 0);
  // Two addresses of this machine, as if they were two machines; rank 1 does not see the folder.
  const auto ranks = as_torchrun({{"--out", run("run"), "--interface", "127.0.0.1"},
                                  {"--out", "/nowhere/run", "--interface", "127.0.0.2"}});
  for (const auto& rank : ranks) EXPECT_EQ(rank->wait(), 0) << rank->printed();
  EXPECT_EQ(last("one"), last("run"));
}

TEST_F(RanksOfTrain, OtherOptionsOfOneRankAreToldOnce) {
  const auto ranks = as_torchrun({{"--out", run("run")}, {"--out", run("run"), "--clip", "2"}});
  std::string words;
  for (const auto& rank : ranks) {
    EXPECT_EQ(rank->wait() == 0, false);
    words += rank->printed();
  }
  EXPECT_THAT(words, AllOf(HasSubstr("rank 1 has clip 2"), HasSubstr("rank 0 has 1")));
  EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 1) << words;
  EXPECT_FALSE(std::filesystem::exists(run("run")));
}

TEST_F(RanksOfTrain, AFailureOfRank0IsToldOnce) {
  ASSERT_EQ(train({"--out", run("run")}).exit_code, 0);
  EXPECT_THAT(refusal({"--out", run("run"), "--ranks", "2"}, 1), HasSubstr("already holds a run"));
}

TEST_F(RanksOfTrain, WrongSettingsAreRefusedInOneSentence) {
  EXPECT_THAT(refusal({"--out", run("a"), "--ranks", "3"}, 2), HasSubstr("--batch 48 or more"));
  EXPECT_THAT(refusal({"--out", run("a"), "--ranks", "0"}, 2), HasSubstr("--ranks is 0"));
  EXPECT_THAT(refusal({"--out", run("a"), "--ranks", "2", "--interface", "eth99"}, 1),
              AllOf(HasSubstr("eth99"), HasSubstr("known: ")));
  const auto alone = [&](const std::vector<std::string>& variables) {
    auto rank =
        torchrun_rank(variables, shared_training({"--out", run("a"), "--rank-timeout", "1"}));
    EXPECT_EQ(rank->wait(), 1);
    const auto words = rank->printed();
    EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 1) << words;
    return words;
  };
  EXPECT_THAT(alone({"RANK=2", "WORLD_SIZE=2"}), HasSubstr("RANK is '2'"));
  EXPECT_THAT(alone({"RANK=0", "WORLD_SIZE=2"}), HasSubstr("MASTER_ADDR is missing"));
  const std::string port = "MASTER_PORT=" + std::to_string(train::free_port());
  EXPECT_THAT(alone({"RANK=1", "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1", port}),
              HasSubstr("found no rank 0 at 127.0.0.1"));
  EXPECT_THAT(alone({"RANK=0", "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1", port}),
              HasSubstr("rank 1 of 2 has not come within 1 s"));
  EXPECT_THAT(alone({"RANK=1", "WORLD_SIZE=2", "MASTER_ADDR=no-such-host.invalid", port}),
              HasSubstr("no-such-host.invalid"));
}

TEST_F(RanksOfTrain, SeveralSeedsAreTrainedByAllRanks) {
  for (const auto* name : {"one", "two"})
    ASSERT_EQ(train({"--seeds", "1,2", "--out", run(name), "--ranks",
                     name == std::string("one") ? "1" : "2"},
                    "10")
                  .exit_code,
              0);
  EXPECT_EQ(last("one/seed2"), last("two/seed2"));
}

TEST_F(RanksOfTrain, EvaluationsHaveTheSameFigures) {
  ASSERT_EQ(train({"--out", run("run")}).exit_code, 0);
  const auto figures = [&](const std::string& ranks) {
    const auto answer =
        run_npq({"evaluate", run("run"), "--sizes", "5,16", "--samples", "20", "--batch", "6",
                 "--ablate", "shuffle", "--hints", "--json", "--no-save", "--ranks", ranks});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    auto all = json::parse(answer.out);
    for (auto& one : all["evaluations"]) one.erase("seconds");
    return all;
  };
  const auto alone = figures("1");
  EXPECT_EQ(alone, figures("2"));
  EXPECT_EQ(alone, figures("3"));
}

}  // namespace
}  // namespace npq::test
