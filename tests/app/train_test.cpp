// npq train, as a user calls it.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors.h"
#include "npq/train/options.h"
#include "tests/support/killable.h"
#include "tests/support/small_disk.h"

namespace npq::test {
namespace {

using nlohmann::json;
using test::file_content;
using test::put_file;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class Train : public ::testing::Test {
 protected:
  std::string run(const std::string& name = "run") const { return (folder_ / name).string(); }

  CommandAnswer train(std::vector<std::string> args) const {
    args.insert(args.begin(), "train");
    return run_npq(args);
  }
  /// A run that ends at once.
  std::vector<std::string> tiny(std::vector<std::string> more = {}) const {
    std::vector<std::string> args = {"--algorithm", "bfs", "--hidden",  "4", "--batch", "2",
                                     "--steps",     "2",   "--threads", "1", "--quiet"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  /// What a call that fails says, in one line.
  std::string refusal(std::vector<std::string> args, int exit_code) const {
    const auto answer = train(std::move(args));
    EXPECT_EQ(answer.exit_code, exit_code) << answer.err;
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    return answer.err;
  }
  json printed_config(std::vector<std::string> args) const {
    args.emplace_back("--print-config");
    const auto answer = train(std::move(args));
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return json::parse(answer.out);
  }

  test::TemporaryFolder folder_;
};

TEST_F(Train, ARunFolderHoldsAllThatProductPromises) {
  ASSERT_EQ(train(tiny({"--out", run()})).exit_code, 0);
  for (const char* file : {"config.json", "metrics.jsonl", "metrics.csv", "events.out.tfevents.npq",
                           "best.safetensors", "last.safetensors", "average.safetensors",
                           "state.safetensors", "result.json"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / file)) << file;
  const auto config = json::parse(file_content(folder_ / "run" / "config.json"));
  EXPECT_EQ(config["hidden"], 4);
  for (const char* key : {"commit", "simd", "threads"})
    EXPECT_TRUE(config["about"].contains(key)) << key;
  EXPECT_EQ(json::parse(file_content(folder_ / "run" / "result.json"))["steps"], 2);
}

TEST_F(Train, TinyNumbersCountAsZero) {
  // Biases begin at 0, and Adam moves them by about the learning rate, which is no normal float.
  ASSERT_EQ(train(tiny({"--learning-rate", "1e-39", "--out", run()})).exit_code, 0);
  const auto weights = SafetensorsFile::open(folder_ / "run" / "last.safetensors");
  int zeros = 0;
  for (const auto& tensor : weights.tensors()) {
    for (const float x : weights.values<float>(tensor.name)) {
      EXPECT_NE(std::fpclassify(x), FP_SUBNORMAL) << tensor.name << ": " << x;
      zeros += x == 0;
    }
  }
  EXPECT_GT(zeros, 0);
}

TEST_F(Train, TheDryRunCountsParametersByPartAndLeavesNothing) {
  const auto plain = train({"--dry-run", "--batch", "2", "--threads", "1", "--out", run()});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(plain.out,
              AllOf(ContainsRegex("encoder +2304\n"), ContainsRegex("processor +181504\n"),
                    ContainsRegex("decoder +231942\n"), ContainsRegex("total +415750\n")));
  EXPECT_THAT(plain.out, AllOf(HasSubstr("one update takes"), HasSubstr("peak memory")));
  const auto queue =
      train({"--dry-run", "--batch", "2", "--threads", "1", "--memory", "npq_w", "--out", run()});
  EXPECT_THAT(queue.out,
              AllOf(ContainsRegex("memory +101263\n"), ContainsRegex("total +517013\n")));
  EXPECT_FALSE(std::filesystem::exists(run()));
}

TEST_F(Train, ARunsConfigurationIsWhatConfigReadsAndPrintConfigPrints) {
  ASSERT_EQ(train(tiny({"--out", run(), "--memory", "npq_m", "--preset", "reference",
                        "--no-layer-norm", "--train-sizes", "5,6", "--random-positions",
                        "--learning-rate", "0.0003", "--hints", "decoded_only"}))
                .exit_code,
            0);
  auto config = json::parse(file_content(folder_ / "run" / "config.json"));
  config.erase("about");
  EXPECT_EQ(config["layer-norm"], false);
  EXPECT_EQ(config["slot-write"], "add");
  const auto path = (folder_ / "run" / "config.json").string();
  EXPECT_EQ(printed_config({"--config", path}), config);
  EXPECT_EQ(printed_config({"--config", path, "--hidden", "5"})["hidden"], 5);
}

TEST_F(Train, TheDefaultsPassThroughAFileUnchanged) {
  const auto config = printed_config({});
  EXPECT_EQ(config, train::to_json(train::TrainOptions{}));
  put_file(folder_ / "config.json", config.dump());
  EXPECT_EQ(printed_config({"--config", run("config.json")}), config);
}

TEST_F(Train, WrongFlagsAreUsageErrors) {
  EXPECT_THAT(refusal({"--algorithm", "dijkstar"}, 2), HasSubstr("did you mean 'dijkstra'"));
  EXPECT_THAT(refusal({"--processor", "mpn"}, 2), HasSubstr("did you mean 'mpnn'"));
  EXPECT_THAT(refusal({"--memory", "npq_v"}, 2), HasSubstr("known: none, npq_m"));
  EXPECT_THAT(refusal({"--preset", "papre"}, 2), HasSubstr("did you mean 'paper'"));
  EXPECT_THAT(refusal({"--hints", "some"}, 2), HasSubstr("encoded_decoded"));
  EXPECT_THAT(refusal({"--simd", "sse"}, 2), HasSubstr("avx2"));
  EXPECT_THAT(refusal({"--batch", "0"}, 2), HasSubstr("--batch is 0"));
  EXPECT_THAT(refusal({"--hidden", "0"}, 2), HasSubstr("--hidden is 0; expected at least 1"));
  EXPECT_THAT(refusal({"--learning-rate", "-1"}, 2), HasSubstr("-1"));
  EXPECT_THAT(refusal({"--dropout", "1"}, 2), HasSubstr("dropout is 1"));
  EXPECT_THAT(refusal({"--train-sizes", "4,x"}, 2),
              HasSubstr("--train-sizes is '4,x'; expected whole numbers"));
  EXPECT_THAT(train({"--hidden", "many"}).err, HasSubstr("--hidden"));
  EXPECT_EQ(train({"--hiden", "4"}).exit_code, 2);
}

TEST_F(Train, WhatCannotGoTogetherIsAUsageError) {
  EXPECT_THAT(refusal({"--algorithm", "bfs", "--memory", "oracle"}, 2),
              HasSubstr("cannot serve algorithm 'bfs'"));
  EXPECT_THAT(refusal({"--memory", "lstm", "--slots", "4"}, 2), HasSubstr("no use for --slots"));
  EXPECT_THAT(refusal({"--memory", "lstm", "--grant", "epsilon"}, 2),
              HasSubstr("memory 'lstm' has no use for --grant"));
  EXPECT_THAT(refusal({"--memory", "npq_w", "--slots", "0"}, 2), HasSubstr("--slots is 0"));
  EXPECT_THAT(refusal({"--memory", "npq_w", "--queue-heads", "0"}, 2),
              HasSubstr("--queue-heads is 0"));
  EXPECT_THAT(refusal({"--processor", "gat", "--heads", "3", "--hidden", "32"}, 2),
              HasSubstr("3 attention heads cannot share a hidden size of 32"));
  EXPECT_THAT(refusal({"--memory", "stack", "--preset", "reference"}, 2),
              HasSubstr("--preset paper"));
  EXPECT_THAT(refusal({"--resume", run(), "--out", run()}, 2), HasSubstr("leave out --out"));
  EXPECT_THAT(refusal({"--resume", run(), "--hidden", "4"}, 2), HasSubstr("leave out --hidden"));
}

TEST_F(Train, AFolderThatCannotBeIsOneSentence) {
  EXPECT_THAT(refusal({"--resume", run("nowhere")}, 1), HasSubstr("there is no run folder"));
  std::filesystem::create_directories(run("empty"));
  EXPECT_THAT(refusal({"--resume", run("empty")}, 1), HasSubstr("is not a run folder"));
  put_file(folder_ / "file", "");
  EXPECT_THAT(refusal(tiny({"--out", run("file")}), 1), HasSubstr("file"));
  EXPECT_THAT(refusal(tiny({"--out", "/proc/here"}), 1), HasSubstr("cannot create '/proc/here'"));
}

TEST_F(Train, AnExistingRunIsNotOverwritten) {
  ASSERT_EQ(train(tiny({"--out", run()})).exit_code, 0);
  const auto before = file_content(folder_ / "run" / "state.safetensors");
  EXPECT_THAT(refusal(tiny({"--out", run()}), 1), HasSubstr("continue it with --resume " + run()));
  EXPECT_TRUE(file_content(folder_ / "run" / "state.safetensors") == before);
}

TEST_F(Train, ASecondProcessOnTheSameFolderIsRefused) {
  Process first(engine_program(), {"train", "--algorithm", "bfs", "--hidden", "4", "--batch", "2",
                                   "--threads", "1", "--quiet", "--out", run()});
  ASSERT_TRUE(first.wait_for([&] { return lines_in(folder_ / "run" / "metrics.jsonl") > 0; }));
  EXPECT_THAT(refusal({"--resume", run()}, 1), HasSubstr("another process is writing"));
  EXPECT_THAT(refusal(tiny({"--out", run()}), 1), HasSubstr("another process is writing"));
  EXPECT_TRUE(first.running());
}

TEST_F(Train, AFullDiskIsOneSentenceAndTheStateStays) {
  ASSERT_EQ(train(tiny({"--out", run()})).exit_code, 0);
  const auto before = file_content(folder_ / "run" / "state.safetensors");
  {
    const test::SmallDisk disk(before.size() / 2);  // its size varies with the seconds it names
    EXPECT_THAT(refusal({"--resume", run(), "--steps", "4", "--quiet"}, 1),
                HasSubstr("state.safetensors"));
  }
  EXPECT_TRUE(file_content(folder_ / "run" / "state.safetensors") == before);
  EXPECT_EQ(train({"--resume", run(), "--quiet"}).exit_code, 0);
}

TEST_F(Train, ALossThatIsNoNumberIsOneSentence) {
  EXPECT_THAT(refusal(tiny({"--learning-rate", "1e30", "--out", run()}), 1),
              AllOf(HasSubstr("the loss of step 1 is"), HasSubstr("largest gradient"),
                    HasSubstr("start again with: npq train --config " + run("run/config.json") +
                              " --learning-rate 0.001 --out " + run() + "_slower")));
  EXPECT_EQ(train({"--config", run("run/config.json"), "--learning-rate", "0.001", "--out",
                   run("run_slower"), "--threads", "1", "--quiet"})
                .exit_code,
            0);
}

TEST_F(Train, AResumedRunMayTakeOtherOptionsAndItsConfigurationTrainsAgain) {
  ASSERT_EQ(train(tiny({"--out", run()})).exit_code, 0);
  EXPECT_THAT(refusal({"--resume", run(), "--learning-rate", "0.01"}, 2),
              HasSubstr("ask for more steps with --steps"));
  ASSERT_EQ(train({"--resume", run(), "--steps", "4", "--learning-rate", "0.01", "--clip", "0.5",
                   "--evaluate-every", "3", "--threads", "1", "--quiet"})
                .exit_code,
            0);
  const auto config = json::parse(file_content(folder_ / "run" / "config.json"));
  EXPECT_EQ(config["changes"][0]["step"], 2);
  EXPECT_EQ(config["changes"][0]["clip"], 0.5);
  EXPECT_EQ(config["changes"][0]["evaluate-every"], 3);
  EXPECT_EQ(printed_config({"--config", run("run/config.json")})["learning-rate"], 0.01);
  EXPECT_EQ(run_npq({"evaluate", run(), "--sizes", "4", "--samples", "1"}).exit_code, 0);
}

TEST_F(Train, BeginsWithTheWeightsOfAnotherRun) {
  ASSERT_EQ(train(tiny({"--out", run("first")})).exit_code, 0);
  ASSERT_EQ(train(tiny({"--init", run("first"), "--out", run()})).exit_code, 0);
  // The same again from its own configuration, but not with other weights in that place.
  ASSERT_EQ(
      train({"--config", run("run/config.json"), "--threads", "1", "--quiet", "--out", run("twin")})
          .exit_code,
      0);
  EXPECT_TRUE(file_content(folder_ / "run/last.safetensors") ==
              file_content(folder_ / "twin/last.safetensors"));
  std::filesystem::copy_file(folder_ / "run/last.safetensors", folder_ / "first/best.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(refusal({"--config", run("run/config.json"), "--out", run("third")}, 1),
              HasSubstr("does not hold the weights any more"));
  EXPECT_THAT(refusal(tiny({"--init", run("first"), "--hidden", "6", "--out", run("wide")}), 1),
              HasSubstr("do not fit this network"));
  EXPECT_FALSE(std::filesystem::exists(run("wide")));
}

TEST_F(Train, SeveralSeedsAreRunsOfTheirOwnAndFinishedOnesArePassedOver) {
  const auto seeds = [&](const std::string& list, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"--seeds", list, "--out", run("all")};
    args.insert(args.end(), more.begin(), more.end());
    return train(tiny(args));
  };
  const auto two = seeds("1,2");
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_THAT(two.out, AllOf(HasSubstr("best validation over 2 seeds: "), HasSubstr("at step")));
  const auto first = std::filesystem::last_write_time(folder_ / "all/seed1/last.safetensors");
  // The second one as it was when it was killed before its end.
  const auto weights = file_content(folder_ / "all/seed2/last.safetensors");
  std::filesystem::remove(folder_ / "all/seed2/result.json");
  std::filesystem::remove(folder_ / "all/seed2/last.safetensors");
  std::filesystem::remove(folder_ / "all/seed2/state.safetensors");
  const auto three = seeds("1,2,3");
  ASSERT_EQ(three.exit_code, 0) << three.err;
  EXPECT_THAT(three.out, AllOf(HasSubstr("all/seed1: finished already"), HasSubstr("3 seeds")));
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "all/seed1/last.safetensors"), first);
  EXPECT_TRUE(file_content(folder_ / "all/seed2/last.safetensors") == weights);
  // The same as each alone.
  ASSERT_EQ(train(tiny({"--seed", "3", "--out", run("alone")})).exit_code, 0);
  EXPECT_TRUE(file_content(folder_ / "alone/last.safetensors") ==
              file_content(folder_ / "all/seed3/last.safetensors"));
  EXPECT_THAT(seeds("1", {"--hidden", "6"}).err, HasSubstr("holds a run with hidden 4, but 6"));
  EXPECT_THAT(seeds("1,1").err, HasSubstr("--seeds holds 1 twice"));
  const auto with_queue = [&](const std::vector<std::string>& more) {
    auto args = tiny({"--memory", "npq_w", "--seeds", "1", "--out", run("queue")});
    args.insert(args.end(), more.begin(), more.end());
    return train(args);
  };
  EXPECT_EQ(with_queue({"--attention", "single"}).exit_code, 0);
  EXPECT_THAT(with_queue({}).err, HasSubstr("with attention \"single\", but none is asked for"));
  EXPECT_THAT(seeds("1", {"--seed", "2"}).err, HasSubstr("contradict each other"));
  EXPECT_THAT(refusal({"--resume", run("all/seed1"), "--seeds", "1"}, 2), HasSubstr("--seeds"));
}

TEST_F(Train, GoesOnWithMoreStepsWhenAsked) {
  ASSERT_EQ(train(tiny({"--out", run()})).exit_code, 0);
  const auto answer = train({"--resume", run(), "--steps", "3", "--threads", "1"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("going on with step 2"), HasSubstr(": 3 steps, best")));
}

}  // namespace
}  // namespace npq::test
