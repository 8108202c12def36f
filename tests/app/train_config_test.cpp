// npq train --config: what counts where a file and the command line disagree.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class TrainConfig : public ::testing::Test {
 protected:
  struct Printed {
    json config;
    std::string notes;
  };

  /// What --print-config says of these flags, and what stands beside it on standard error.
  Printed printed(std::vector<std::string> args, const std::string& command = "train") const {
    args.emplace_back("--print-config");
    if (command == "peptides") args.insert(args.begin(), "peptides");
    args.insert(args.begin() + (command == "peptides"), "train");
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_LE(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    return {json::parse(answer.out, nullptr, false), answer.err};
  }
  /// A file with the configuration that these flags give.
  std::string file(std::vector<std::string> args, const std::string& command = "train") const {
    const auto path = folder_ / "config.json";
    test::put_file(path, printed(std::move(args), command).config.dump());
    return path.string();
  }

  test::TemporaryFolder folder_;
};

TEST_F(TrainConfig, APresetOnTheCommandLineWinsAndOneLineSaysWhatItReplaces) {
  const auto path = file({"--memory", "npq_w", "--queue-heads", "2"});
  const auto [config, notes] = printed({"--config", path, "--preset", "reference"});
  EXPECT_EQ(config,
            printed({"--memory", "npq_w", "--queue-heads", "2", "--preset", "reference"}).config);
  EXPECT_THAT(notes, AllOf(HasSubstr("--preset reference"), HasSubstr(path),
                           HasSubstr("slots auto"), Not(HasSubstr("queue-heads"))));
  const auto back = printed(
      {"--config", file({"--memory", "npq_w", "--preset", "reference"}), "--preset", "paper"});
  EXPECT_EQ(back.config, printed({"--memory", "npq_w"}).config);
  EXPECT_THAT(back.notes, HasSubstr("slots 128"));
}

TEST_F(TrainConfig, WhereThePresetsAgreeNothingIsSaid) {
  const auto path = file({"--memory", "npq_w", "--preset", "reference"});
  EXPECT_THAT(printed({"--config", path, "--preset", "reference"}).notes, IsEmpty());
  EXPECT_THAT(printed({"--config", path}).notes, IsEmpty());
}

TEST_F(TrainConfig, AFlagBesideThePresetWinsOverBoth) {
  const auto path = file({"--memory", "npq_w"});
  const auto config = printed({"--config", path, "--preset", "reference", "--slots", "7"}).config;
  EXPECT_EQ(config["slots"], "7");
  EXPECT_EQ(config["slot-write"], "add");
}

TEST_F(TrainConfig, AnotherMemoryLeavesOutTheFlagsOfTheFilesMemoryAndOneLineSaysSo) {
  const auto path = file({"--memory", "npq_w", "--queue-heads", "2", "--hidden", "8"});
  const auto none = printed({"--config", path, "--memory", "none"});
  EXPECT_EQ(none.config, printed({"--hidden", "8"}).config);
  EXPECT_THAT(none.notes,
              AllOf(HasSubstr("--memory none"), HasSubstr(path), HasSubstr("queue-heads 2")));
  // The other memory's own defaults count, what somebody chose goes along where it can.
  const auto plus = printed({"--config", path, "--memory", "npq_w_plus"});
  EXPECT_EQ(plus.config,
            printed({"--hidden", "8", "--memory", "npq_w_plus", "--queue-heads", "2"}).config);
  EXPECT_THAT(plus.notes, AllOf(HasSubstr("push-pool sum"), Not(HasSubstr("queue-heads"))));
}

TEST_F(TrainConfig, PeptidesTrainKeepsToTheSame) {
  const std::vector<std::string> data = {"--data", "somewhere", "--memory", "npq_w"};
  const auto path = file(data, "peptides");
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--config", path});
    return printed(more, "peptides");
  };
  const auto reference = with({"--preset", "reference"});
  EXPECT_EQ(reference.config["slot-write"], "add");
  EXPECT_EQ(reference.config["preset"], "reference");
  EXPECT_THAT(reference.notes, HasSubstr("--preset reference"));
  const auto other = with({"--memory", "stack"});
  EXPECT_FALSE(other.config.contains("slot-write"));
  EXPECT_THAT(other.notes, HasSubstr("--memory stack"));
}

TEST_F(TrainConfig, ARunSaysTheSameLineAndKeepsThePresetInItsConfiguration) {
  const auto run = (folder_ / "run").string();
  const auto answer = run_npq({"train", "--config",
                               file({"--algorithm", "bfs", "--hidden", "4", "--batch", "2",
                                     "--steps", "1", "--memory", "npq_w"}),
                               "--preset", "reference", "--threads", "1", "--quiet", "--out", run});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("--preset reference"));
  const auto config = json::parse(test::file_content(folder_ / "run" / "config.json"));
  EXPECT_EQ(config["preset"], "reference");
  EXPECT_EQ(config["slots"], "128");
}

TEST_F(TrainConfig, WhatIsNoFileOfOptionsIsOneSentence) {
  const auto refusal = [](const std::string& path) {
    const auto answer = run_npq({"train", "--config", path});
    EXPECT_EQ(answer.exit_code, 2) << answer.err;
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    return answer.err;
  };
  EXPECT_THAT(refusal(folder_.path().string()),
              AllOf(HasSubstr("is a folder"), HasSubstr("expected a file")));
  test::put_file(folder_ / "config.json", "{}");
  EXPECT_THAT(refusal(folder_.path().string()), HasSubstr("/config.json"));
  EXPECT_THAT(refusal((folder_ / "nowhere").string()), HasSubstr("cannot read"));
  test::put_file(folder_ / "list.json", "[]");
  EXPECT_THAT(refusal((folder_ / "list.json").string()), HasSubstr("JSON object"));
}

TEST_F(TrainConfig, ANumberThatNoVariableHoldsIsRefused) {
  const auto refusal = [](std::vector<std::string> args) {
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 2) << answer.err;
    EXPECT_THAT(answer.out, IsEmpty());
    return answer.err;
  };
  for (const char* number : {"99999999999999999999", "9223372036854775808"})
    EXPECT_THAT(refusal({"train", "--steps", number, "--print-config"}),
                AllOf(HasSubstr("--steps is " + std::string(number)), HasSubstr("out of range")));
  EXPECT_THAT(refusal({"train", "--seed", "99999999999999999999"}), HasSubstr("--seed is"));
  EXPECT_EQ(printed({"--steps", "9223372036854775807"}).config["steps"],
            std::int64_t{9223372036854775807});
}

TEST_F(TrainConfig, SizesOfPartsThatTheProcessorLacksAreRefused) {
  const auto refusal = [](std::vector<std::string> args) {
    args.insert(args.begin(), "train");
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 2) << answer.err;
    return answer.err;
  };
  EXPECT_THAT(refusal({"--heads", "3"}),
              HasSubstr("processor 'mpnn' has no use for --heads; leave it out or choose gat"));
  EXPECT_THAT(refusal({"--processor", "gat", "--triplet-features", "3"}),
              HasSubstr("has no use for --triplet-features"));
  EXPECT_EQ(printed({"--processor", "gat", "--heads", "2"}).config["heads"], 2);
  // A file has them all, whatever the processor.
  EXPECT_EQ(printed({"--config", file({})}).config["heads"], 1);
}

}  // namespace
}  // namespace npq::test
