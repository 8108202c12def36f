// npq evaluate, as a user calls it.
#include <gmock/gmock.h>

#include "npq/clrs/dataset/dataset.h"
#include "npq/memory/catalog.h"
#include "npq/train/scoring/score_json.h"
#include "npq/train/scoring/validity.h"
#include "tests/support/run_command.h"
#include "tests/support/torch_stored_runs.h"

namespace npq::test {
namespace {

using nlohmann::json;
using test::file_content;
using test::put_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Evaluate : public ::testing::Test {
 protected:
  std::string run(const std::string& name = "run") const { return (folder_ / name).string(); }

  json evaluated(std::vector<std::string> args) const {
    args.insert(args.begin(), "evaluate");
    args.emplace_back("--json");
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return json::parse(answer.out);
  }
  /// What a call that fails says, in one line.
  std::string refusal(std::vector<std::string> args, int exit_code = 1) const {
    args.insert(args.begin(), "evaluate");
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, exit_code);
    EXPECT_THAT(answer.out, IsEmpty());
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    return answer.err;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Evaluate, TellsWhatTheMemoryIsWorthGraphByGraph) {
  auto options = small_options("dijkstra");
  options.memory = memory::memory_options("npq_w_p");
  store_run(run(), options);
  const auto answer = evaluated({run(), "--sizes", "8", "--samples", "5", "--which", "best",
                                 "--ablate", "zero,shuffle,none,freeze,empty"});
  const auto& one = answer["evaluations"].at(0);
  ASSERT_EQ(one["ablations"].size(), 4u);
  for (const auto& [name, ablated] : one["ablations"].items()) {
    ASSERT_EQ(ablated["sample_scores"].size(), 5u) << name;
    double lost = 0;
    for (std::size_t i = 0; i < 5; ++i)
      lost +=
          (one["sample_scores"][i].get<double>() - ablated["sample_scores"][i].get<double>()) / 5;
    EXPECT_NEAR(ablated["lost"]["value"].get<double>(), lost, 1e-12) << name;
  }
  const auto table =
      run_npq({"evaluate", run(), "--sizes", "8", "--samples", "5", "--ablate", "zero"});
  EXPECT_THAT(table.out, HasSubstr("What the memory is worth to the trained network"));
}

TEST_F(Evaluate, FiguresAreKeptInTheRunFolderAndAddUp) {
  store_run(run(), small_options("bfs"));
  const auto kept = folder_ / "run" / "evaluation.json";
  const auto table = run_npq({"evaluate", run(), "--sizes", "8", "--samples", "3"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("kept in " + kept.string()));
  auto answer = evaluated({run(), "--sizes", "10", "--samples", "3", "--hints"});
  const auto all = json::parse(file_content(kept))["evaluations"];
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0]["size"], 8);
  for (auto& one : answer["evaluations"]) {
    EXPECT_EQ(one["predictions"].size(), 3u);
    one.erase("predictions");
    EXPECT_THAT(all, ::testing::Contains(one));
  }
  const auto report = run_npq({"report", run(), "--out", run("report.html")});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(file_content(folder_ / "report.html"), HasSubstr("test 10, best"));
}

TEST_F(Evaluate, WhatIsNotToBeKeptIsNot) {
  store_run(run(), small_options("bfs"));
  const auto kept = folder_ / "run" / "evaluation.json";
  evaluated({run(), "--sizes", "8", "--samples", "2", "--no-save"});
  EXPECT_FALSE(std::filesystem::exists(kept));
  put_file(kept, "{\"evalu");
  EXPECT_THAT(refusal({run(), "--sizes", "8", "--samples", "2"}), HasSubstr("evaluation.json"));
  EXPECT_EQ(run_npq({"evaluate", run(), "--sizes", "8", "--samples", "2", "--no-save"}).exit_code,
            0);
  EXPECT_EQ(file_content(kept), "{\"evalu");
}

TEST_F(Evaluate, WithoutAMemoryNothingCanBeTakenAway) {
  store_run(run(), small_options("dijkstra"));
  EXPECT_THAT(refusal({run(), "--ablate", "zero"}, 2), HasSubstr("has no memory"));
  EXPECT_THAT(refusal({run(), "--ablate", "zera"}, 2), HasSubstr("did you mean 'zero'"));
}

TEST_F(Evaluate, EveryFigureCanBeRecomputedFromThePredictions) {
  for (const char* algorithm : {"dijkstra", "bridges", "find_maximum_subarray_kadane"}) {
    const auto options = small_options(algorithm);
    store_run(run(algorithm), options);
    const auto answer = evaluated({run(algorithm), "--sizes", "8,10", "--samples", "5", "--hints"});
    const train::Task task(options);
    ASSERT_EQ(answer["evaluations"].size(), 4u);
    for (const auto& one : answer["evaluations"]) {
      std::vector<train::ScoredSample> samples;
      for (const auto& sample : one["predictions"]) samples.push_back(train::scored_sample(sample));
      EXPECT_EQ(samples.size(), 5u);
      const auto figures = train::to_json(train::score_sheet(task.spec(), samples));
      for (const auto& [name, figure] : figures.items()) EXPECT_EQ(one.at(name), figure) << name;
      EXPECT_EQ(one["sample_scores"], json(train::sample_scores(task.spec(), samples)));
      EXPECT_EQ(one.contains("valid"), std::string(algorithm) == "dijkstra");
      EXPECT_FALSE(one["hints"].empty());
    }
  }
}

TEST_F(Evaluate, ThePredictionsStandBesideTheTruthOfTheTestSet) {
  // Counted anew, from data generated here: nothing of the score sheet's own code.
  store_run(run(), small_options("dijkstra"));
  const auto answer = evaluated({run(), "--sizes", "64", "--samples", "3", "--which", "best"});
  auto official = clrs::official_split(clrs::find_algorithm("dijkstra"), clrs::Split::Test);
  EXPECT_EQ(official.length, 64);
  official.samples = 3;
  const auto data = clrs::generate(clrs::find_algorithm("dijkstra"), official);
  const auto& one = answer["evaluations"][0];
  double right = 0, valid = 0;
  for (int k = 0; k < 3; ++k) {
    std::vector<int> truth(64);
    const auto pi = data.samples[k].series("pi").frame<std::uint16_t>(0);
    truth.assign(pi.begin(), pi.end());
    const auto& output = one["predictions"][k]["outputs"]["pi"];
    EXPECT_EQ(output["true"].get<std::vector<int>>(), truth);
    const auto predicted = output["predicted"].get<std::vector<int>>();
    for (int i = 0; i < 64; ++i) right += predicted[i] == truth[i];
    clrs::EdgeScalars A(64);
    data.samples[k].series("A").expand(0, A.values().data());
    const auto s = data.samples[k].series("s").frame<std::uint16_t>(0)[0];
    for (const int node :
         train::valid_parents("dijkstra", A, s, {predicted.begin(), predicted.end()}))
      valid += node;
  }
  EXPECT_DOUBLE_EQ(one["score"]["value"].get<double>(), right / 192);
  EXPECT_DOUBLE_EQ(one["valid"]["value"].get<double>(), valid / 192);
}

TEST_F(Evaluate, TheTableShowsTheFiguresOfTheJson) {
  store_run(run(), small_options("bfs"));
  const auto answer = run_npq({"evaluate", run(), "--sizes", "8", "--samples", "5"});
  EXPECT_EQ(answer.exit_code, 0);
  const auto all = evaluated({run(), "--sizes", "8", "--samples", "5"});
  for (const auto& one : all["evaluations"]) {
    const auto& score = one["score"];
    EXPECT_THAT(answer.out,
                HasSubstr(fmt::format("{:.4f} [{:.4f}, {:.4f}]", score["value"].get<double>(),
                                      score["low"].get<double>(), score["high"].get<double>())));
  }
  EXPECT_THAT(answer.out, AllOf(HasSubstr("best    500     8      8        5"),
                                HasSubstr("last    999     8      8        5")));
}

TEST_F(Evaluate, BestAndLastAreEvaluatedWhereTheyAreThere) {
  store_run(run(), small_options("bfs"), /*best=*/true, /*last=*/false);
  const auto answer = run_npq({"evaluate", run(), "--sizes", "8", "--samples", "2"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, AllOf(HasSubstr("best"), HasSubstr("last.safetensors is not there yet")));
}

TEST_F(Evaluate, ACheckpointFileIsEvaluatedByItself) {
  store_model(folder_ / "mine.safetensors", small_options("minimum"), 7);
  const auto answer = evaluated({run("mine.safetensors"), "--sizes", "8", "--samples", "2"});
  EXPECT_EQ(answer["algorithm"], "minimum");
  EXPECT_EQ(answer["evaluations"][0]["step"], 7);
}

TEST_F(Evaluate, WhatIsWrongWithTheRunIsOneSentence) {
  EXPECT_THAT(refusal({run("nowhere")}), HasSubstr("there is no run folder"));
  store_run(run(), small_options("bfs"));
  const auto path = folder_ / "run" / "best.safetensors";
  auto flipped = file_content(path);
  flipped[flipped.size() - 100] = static_cast<char>(flipped[flipped.size() - 100] ^ 1);
  put_file(path, flipped);
  EXPECT_THAT(refusal({run()}), HasSubstr("is damaged: it does not have the checksum"));
}

TEST_F(Evaluate, WrongFlagsAreUsageErrors) {
  store_run(run(), small_options("dijkstra"));
  EXPECT_THAT(refusal({run(), "--which", "bst"}, 2), HasSubstr("did you mean 'best'"));
  EXPECT_THAT(refusal({run(), "--sizes", "64,x"}, 2), HasSubstr("--sizes got '64,x'"));
  EXPECT_THAT(refusal({run(), "--sizes", "1"}, 2), HasSubstr("at least 2 nodes"));
  EXPECT_THAT(refusal({run(), "--sizes", "1"}, 2), Not(HasSubstr("--nodes")));
  EXPECT_THAT(refusal({run(), "--sizes", "64,0"}, 2), HasSubstr("--sizes has 0; expected"));
  EXPECT_THAT(refusal({run(), "--samples", "0"}, 2), HasSubstr("--samples is 0"));
  EXPECT_THAT(refusal({run(), "--batch", "0"}, 2), HasSubstr("--batch is 0"));
}

TEST_F(Evaluate, HintsOfAModelWithoutHintsCannotBeScored) {
  auto options = small_options("bfs");
  options.model.hint_mode = model::HintMode::None;
  store_run(run(), options);
  EXPECT_THAT(refusal({run(), "--sizes", "8", "--samples", "2", "--hints"}),
              HasSubstr("trained without hints"));
  EXPECT_EQ(run_npq({"evaluate", run(), "--sizes", "8", "--samples", "2"}).exit_code, 0);
}

}  // namespace
}  // namespace npq::test
