// npq peptides train, as a user calls it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/peptides/made_up_dataset.h"
#include "tests/support/killable.h"

namespace npq::test {
namespace {

using nlohmann::json;
using test::file_content;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

class Peptides : public ::testing::Test {
 protected:
  Peptides() {
    std::filesystem::create_directory(folder_ / "data");
    peptides::save_dataset(folder_ / "data", test::made_up_dataset(30));
  }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  CommandAnswer run_peptides(std::vector<std::string> args) const {
    args.insert(args.begin(), "peptides");
    return run_npq(args);
  }
  std::vector<std::string> training(const std::string& out, const std::string& epochs) const {
    return {"train",     "--data",  at("data"), "--processor", "gine",
            "--memory",  "npq_w",   "--hidden", "8",           "--memory-width",
            "8",         "--batch", "8",        "--epochs",    epochs,
            "--threads", "1",       "--quiet",  "--out",       at(out)};
  }

  test::TemporaryFolder folder_;
};

TEST_F(Peptides, TrainsAndLeavesAResult) {
  const auto trained = run_peptides(training("run", "2"));
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("2 epochs; val MAE "));
  EXPECT_EQ(json::parse(file_content(folder_ / "run/result.json")).at("data"), "made up");
  const auto config = json::parse(file_content(folder_ / "run/config.json"));
  EXPECT_EQ(config.at("layer"), "full");  // the default with a memory

  // The same again from its own configuration.
  const auto repeated = run_peptides({"train", "--config", at("run/config.json"), "--out",
                                      at("twin"), "--threads", "2", "--quiet"});
  EXPECT_EQ(repeated.exit_code, 0) << repeated.err;
  EXPECT_TRUE(file_content(folder_ / "run/last.safetensors") ==
              file_content(folder_ / "twin/last.safetensors"));
}

TEST_F(Peptides, AreAnExperimentToo) {
  const auto experiment = [&](const std::string& command) {
    return run_npq({"experiment", command, "peptides", "--only", "gine/(Baseline|NPQ_W full)$",
                    "--seeds", "1", "--epochs", "2", "--set",
                    "data=" + at("data") + ",hidden=8,memory-width=8,batch=8", "--out", at("runs"),
                    "--results", at("results")});
  };
  const auto done = experiment("run");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("2 runs of 2 epochs"));
  EXPECT_THAT(experiment("status").out, HasSubstr("2 runs, 2 done"));
  EXPECT_THAT(experiment("collect").out, HasSubstr("2 results written"));
  EXPECT_THAT(experiment("status").out, HasSubstr("2 runs, 2 committed"));

  // The same runs in the folder of another experiment need not be trained again.
  std::filesystem::rename(folder_ / "results/peptides", folder_ / "results/another");
  std::filesystem::remove_all(folder_ / "runs");
  EXPECT_THAT(experiment("status").out, HasSubstr("2 runs, 2 committed"));
  EXPECT_THAT(experiment("collect").out, HasSubstr("2 results written, 0 were there"));
  std::filesystem::remove_all(folder_ / "results/another");
  EXPECT_THAT(experiment("collect").out, HasSubstr("0 results written, 2 were there"));
  const auto report = run_npq({"report", at("results")});
  EXPECT_THAT(report.out, HasSubstr("GINE + NPQ_W full"));
}

TEST_F(Peptides, AreEvaluatedAsTheTrainerDoesAndTargetByTarget) {
  ASSERT_EQ(run_peptides(training("run", "2")).exit_code, 0);
  const auto answer = run_peptides({"evaluate", at("run"), "--json", "--threads", "1"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  auto all = json::parse(answer.out);
  const auto result = json::parse(file_content(folder_ / "run/result.json"));
  ASSERT_EQ(all["evaluations"].size(), 3u);
  EXPECT_EQ(all["evaluations"][2]["checkpoint"], "average");
  const auto& best = all["evaluations"][0];
  EXPECT_EQ(best["checkpoint"], "best");
  EXPECT_EQ(best["epoch"], result["best_epoch"]);
  EXPECT_EQ(best["score"]["value"], result["test_mae"]);
  EXPECT_EQ(best["val"], result["val_mae"]);
  for (const auto& one : all["evaluations"]) {
    double targets = 0, molecules = 0;
    for (const auto& [name, target] : one["targets"].items())
      targets += target["error"]["value"].get<double>() / 11;
    for (const auto& error : one["molecule_errors"])
      molecules += error.get<double>() / static_cast<double>(one["molecule_errors"].size());
    EXPECT_NEAR(targets, one["score"]["value"].get<double>(), 1e-9);
    EXPECT_NEAR(molecules, one["score"]["value"].get<double>(), 1e-9);
    EXPECT_LE(one["score"]["low"], one["score"]["value"]);
  }
  const auto kept = json::parse(file_content(folder_ / "run/evaluation.json"));
  EXPECT_THAT(kept["evaluations"], UnorderedElementsAreArray(all["evaluations"]));
  const auto table = run_peptides({"evaluate", at("run"), "--which", "last", "--no-save"});
  EXPECT_THAT(table.out, HasSubstr("Plane_best_fit"));
  EXPECT_EQ(run_npq({"report", at("run"), "--out", at("report.html")}).exit_code, 0);
  EXPECT_THAT(run_npq({"compare", at("run"), at("run")}).out,
              HasSubstr("npq peptides evaluate RUN has their errors target by target"));
}

TEST_F(Peptides, AreEvaluatedWithoutPartsOfTheMemory) {
  ASSERT_EQ(run_peptides(training("run", "2")).exit_code, 0);
  const auto answer =
      run_peptides({"evaluate", at("run"), "--ablate", "zero,freeze,empty", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const auto& one : json::parse(answer.out)["evaluations"]) {
    ASSERT_EQ(one["ablations"].size(), 3u);
    for (const auto& [name, ablated] : one["ablations"].items()) {
      const auto& whole = one["molecule_errors"];
      ASSERT_EQ(ablated["molecule_errors"].size(), whole.size()) << name;
      double lost = 0;
      for (std::size_t i = 0; i < whole.size(); ++i)
        lost += (ablated["molecule_errors"][i].get<double>() - whole[i].get<double>()) /
                static_cast<double>(whole.size());
      EXPECT_NEAR(ablated["lost"]["value"].get<double>(), lost, 1e-12) << name;
      EXPECT_NE(ablated["molecule_errors"], whole) << name << " took nothing away";
    }
  }
  const auto report = folder_ / "report.html";
  run_npq({"report", at("run"), "--out", report.string()});
  EXPECT_THAT(file_content(report), HasSubstr("What the memory is worth to the trained network"));
  EXPECT_THAT(run_peptides({"evaluate", at("run"), "--ablate", "zero", "--no-save"}).out,
              HasSubstr("What the memory is worth to the trained network"));
  const auto refused = run_peptides({"evaluate", at("run"), "--ablate", "shuffle"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("use zero, freeze or empty"));
}

TEST_F(Peptides, WhatIsForAlgorithmsSaysWhichCommandToUse) {
  ASSERT_EQ(run_peptides(training("run", "1")).exit_code, 0);
  test::put_file(folder_ / "input.json", "{}");
  for (const auto& args :
       std::vector<std::vector<std::string>>{{"evaluate", at("run")},
                                             {"evaluate", at("run/best.safetensors")},
                                             {"predict", at("run"), "--input", at("input.json")},
                                             {"trace", at("run"), "--out", at("trace.html")}}) {
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_THAT(answer.err, HasSubstr("npq peptides evaluate")) << args[0];
  }
  EXPECT_THAT(run_npq({"train", "--resume", at("run")}).err,
              HasSubstr("go on with npq peptides train --resume"));
  std::filesystem::create_directory(folder_ / "other");
  test::put_file(folder_ / "other/config.json", R"({"algorithm": "bfs"})");
  EXPECT_THAT(run_peptides({"evaluate", at("other")}).err, HasSubstr("test it with npq evaluate"));
  EXPECT_THAT(run_peptides({"train", "--resume", at("other")}).err,
              HasSubstr("is not a run on peptides; go on with npq train --resume"));
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
