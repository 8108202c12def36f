// npq peptides, as a user calls it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/peptides/chemistry.h"
#include "tests/support/golden_folder.h"
#include "tests/support/killable.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::file_content;
using testing::golden_file;
using ::testing::HasSubstr;

class Peptides : public ::testing::Test {
 protected:
  void SetUp() override {
    if (peptides::chemistry_version().empty()) GTEST_SKIP() << "built without RDKit";
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  CommandAnswer run_peptides(std::vector<std::string> args) const {
    args.insert(args.begin(), "peptides");
    return run_npq(args);
  }
  void generate(const std::string& name) const {
    const auto answer =
        run_peptides({"generate", "--count", "30", "--seed", "2", "--out", at(name)});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
  }
  std::vector<std::string> training(const std::string& out, const std::string& epochs) const {
    return {"train",     "--data",  at("data"), "--processor", "gine",
            "--memory",  "npq_w",   "--hidden", "8",           "--memory-width",
            "8",         "--batch", "8",        "--epochs",    epochs,
            "--threads", "1",       "--quiet",  "--out",       at(out)};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Peptides, GeneratesTrainsAndLeavesAResult) {
  const auto made = run_peptides({"generate", "--count", "30", "--seed", "2", "--out", at("data")});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("30 molecules"), HasSubstr("train 21, val 4, test 5")));
  generate("again");
  EXPECT_EQ(file_content(folder_ / "data/peptides.safetensors"),
            file_content(folder_ / "again/peptides.safetensors"));

  const auto trained = run_peptides(training("run", "2"));
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("2 epochs; val MAE "));
  EXPECT_EQ(json::parse(file_content(folder_ / "run/result.json")).at("data"), "generated");
  const auto config = json::parse(file_content(folder_ / "run/config.json"));
  EXPECT_EQ(config.at("layer"), "full");  // the default with a memory

  // The same again from its own configuration.
  const auto repeated = run_peptides({"train", "--config", at("run/config.json"), "--out",
                                      at("twin"), "--threads", "2", "--quiet"});
  EXPECT_EQ(repeated.exit_code, 0) << repeated.err;
  EXPECT_TRUE(file_content(folder_ / "run/last.safetensors") ==
              file_content(folder_ / "twin/last.safetensors"));
}

TEST_F(Peptides, ImportsTheLookAlikes) {
  const auto answer = run_peptides(
      {"import", golden_file("peptides/files/peptide_structure_dataset.csv.gz").string(),
       "--splits", golden_file("peptides/files/split_protocol4.pickle").string(), "--out",
       at("data")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("12 molecules"));
}

TEST_F(Peptides, ABadTableIsOneSentenceAndNothingIsWritten) {
  testing::put_file(folder_ / "t.csv", "smiles,y\nC1,1\n");
  testing::put_file(folder_ / "s.json", R"({"train": [0], "val": [], "test": []})");
  const auto answer = run_peptides(
      {"import", at("t.csv"), "--splits", at("s.json"), "--out", at("data"), "--quiet"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, HasSubstr("no column 'Inertia_mass_a'; its columns are: smiles, y"));
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "data"));
}

TEST_F(Peptides, WrongCallsAreUsageErrors) {
  const auto refusal = [&](std::vector<std::string> args) {
    const auto answer = run_peptides(std::move(args));
    EXPECT_EQ(answer.exit_code, 2) << answer.err;
    return answer.err;
  };
  EXPECT_THAT(refusal({"generate", "--count", "3", "--out", at("d")}), HasSubstr("--count is 3"));
  EXPECT_THAT(refusal({"import", at("t.csv"), "--out", at("d")}), HasSubstr("--splits is missing"));
  EXPECT_THAT(refusal({"train", "--epochs", "1"}), HasSubstr("--data is missing"));
  EXPECT_THAT(refusal({"train", "--data", "d", "--layer", "plain", "--memory", "npq_w"}),
              HasSubstr("--layer plain is the baseline"));
  EXPECT_THAT(refusal({"train", "--data", "d", "--processor", "mpnn"}), HasSubstr("gatv2"));
  EXPECT_THAT(refusal({"train", "--resume", "r", "--batch", "3"}), HasSubstr("leave out --batch"));
}

TEST_F(Peptides, KilledAndInterruptedARunEndsWithTheSameWeights) {
  generate("data");
  EXPECT_EQ(run_program(engine_program(),
                        [&] {
                          auto args = training("quiet", "12");
                          args.insert(args.begin(), "peptides");
                          return args;
                        }())
                .exit_code,
            0);
  auto args = training("disturbed", "12");
  args.insert(args.begin(), "peptides");
  for (const int signal : {SIGKILL, SIGINT}) {
    Process process(engine_program(), args);
    const auto before = lines_in(folder_ / "disturbed/metrics.jsonl");
    process.wait_for([&] { return lines_in(folder_ / "disturbed/metrics.jsonl") > before + 5; });
    process.send(signal);
    const int code = process.wait();
    if (signal == SIGINT) {
      EXPECT_EQ(code, 1) << process.printed();
      EXPECT_THAT(process.printed(), HasSubstr("go on with: npq peptides train --resume"));
    }
    args = {"peptides", "train", "--resume", at("disturbed"), "--threads", "1", "--quiet"};
  }
  EXPECT_EQ(run_program(engine_program(), args).exit_code, 0);
  EXPECT_TRUE(file_content(folder_ / "quiet/last.safetensors") ==
              file_content(folder_ / "disturbed/last.safetensors"));
  EXPECT_EQ(lines_in(folder_ / "quiet/metrics.jsonl"),
            lines_in(folder_ / "disturbed/metrics.jsonl"));
}

}  // namespace
}  // namespace npq::test
