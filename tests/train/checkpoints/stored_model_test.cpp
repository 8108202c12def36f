#include "npq/train/checkpoints/stored_model.h"

#include <gmock/gmock.h>

#include "npq/train/scoring/scoring.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_stored_runs.h"

namespace npq::train {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using test::small_options;
using test::store_model;
using test::store_run;
using ::testing::HasSubstr;

class StoredModels : public ::testing::Test {
 protected:
  std::string refusal(Which which = Which::Best) const {
    return error_text([&] {
      for (const auto& model : find_models(run_, which)) load_network(model);
    });
  }

  test::TemporaryFolder folder_;
  const std::filesystem::path run_ = folder_ / "run";
  const std::filesystem::path best_ = run_ / "best.safetensors";
};

TEST_F(StoredModels, BestAndLastOfARunAreDifferentNetworks) {
  store_run(run_, small_options("bfs"));
  const auto models = find_models(run_, Which::All);
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].name, "best");
  EXPECT_EQ(models[0].step, 500);
  EXPECT_EQ(models[1].name, "last");
  EXPECT_EQ(models[1].step, 999);
  const auto best = load_network(models[0]), last = load_network(models[1]);
  EXPECT_FALSE(best->store.at("processor/m1.w").equal(last->store.at("processor/m1.w")));
}

TEST_F(StoredModels, WhatIsNotThereYetIsSaid) {
  store_run(run_, small_options("bfs"), /*best=*/true, /*last=*/false);
  EXPECT_EQ(find_models(run_, Which::All).size(), 1u);
  EXPECT_THAT(refusal(Which::Last), HasSubstr("has no last.safetensors yet"));
  EXPECT_THAT(refusal(Which::Average), HasSubstr("has no average.safetensors yet"));
  std::filesystem::remove(best_);
  EXPECT_THAT(refusal(Which::All), HasSubstr("has no best.safetensors yet"));
}

TEST_F(StoredModels, TheMeanOfTheWeightsIsAModelLikeTheOthers) {
  store_run(run_, small_options("bfs"));
  store_model(run_ / "average.safetensors", small_options("bfs"), 999, 3);
  const auto models = find_models(run_, Which::All);
  ASSERT_EQ(models.size(), 3u);
  EXPECT_EQ(models[2].name, "average");
  const auto average = find_models(run_, find_one("average"));
  ASSERT_EQ(average.size(), 1u);
  EXPECT_EQ(average[0].file, run_ / "average.safetensors");
}

TEST_F(StoredModels, ARunThatKeptNoMeanSaysSo) {
  auto options = small_options("bfs");
  options.average = 0;
  store_run(run_, options);
  EXPECT_THAT(refusal(Which::Average), HasSubstr("was trained without a mean of its weights"));
}

TEST_F(StoredModels, AFolderThatIsNoRunOrDamagedIsSaid) {
  EXPECT_THAT(refusal(), HasSubstr("there is no run folder"));
  std::filesystem::create_directories(run_);
  EXPECT_THAT(refusal(), HasSubstr("is not a run folder"));
  put_file(run_ / "config.json", "{\"algorithm\": ");
  EXPECT_THAT(refusal(), HasSubstr("config.json' is malformed JSON at line 1, column"));
  put_file(run_ / "config.json", "{\"algorithm\": \"dijkstra\"}");
  EXPECT_THAT(refusal(),
              HasSubstr("config.json' holds options that cannot be: --processor is missing"));
}

TEST_F(StoredModels, ACheckpointOfAnotherModelIsNamed) {
  store_run(run_, small_options("dijkstra"));
  auto other = small_options("dijkstra");
  other.model.hidden = 12;
  store_model(best_, other);
  EXPECT_THAT(refusal(), HasSubstr("was trained with hidden 12, but config.json beside it says 8"));
  store_model(best_, small_options("bfs"));
  EXPECT_THAT(refusal(), HasSubstr("was trained with algorithm \"bfs\""));
}

TEST_F(StoredModels, ARunThatWasProlongedKeepsItsCheckpoints) {
  auto options = small_options("dijkstra");
  store_run(run_, options);
  options.steps += 1000;
  put_file(run_ / "config.json", to_json(options).dump());
  EXPECT_EQ(find_models(run_, Which::Best).size(), 1u);
}

TEST_F(StoredModels, AnOlderRunThatDoesNotNameItsPresetKeepsItsCheckpoints) {
  store_run(run_, small_options("dijkstra"));
  auto config = to_json(small_options("dijkstra"));
  config.erase("preset");
  put_file(run_ / "config.json", config.dump());
  EXPECT_EQ(find_models(run_, Which::Best).size(), 1u);
}

TEST_F(StoredModels, ATruncatedFileIsOneSentenceWhereverItEnds) {
  store_run(run_, small_options("bfs"));
  const auto whole = file_content(best_);
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 50) {
    put_file(best_, whole.substr(0, size));
    EXPECT_THAT(refusal(), HasSubstr("best.safetensors")) << size;
  }
}

TEST_F(StoredModels, AFlippedBitInTheDataIsFoundByTheChecksum) {
  store_run(run_, small_options("bfs"));
  const auto whole = file_content(best_);
  const auto data = SafetensorsFile::open(best_).tensors().back().end;
  for (std::size_t back = 1; back <= data; back += 997) {
    auto flipped = whole;
    auto& byte = flipped[whole.size() - back];
    byte = static_cast<char>(byte ^ 1);
    put_file(best_, flipped);
    EXPECT_THAT(refusal(), HasSubstr("is damaged: it does not have the checksum")) << back;
  }
}

TEST_F(StoredModels, MissingAndForeignParametersAreNamed) {
  const auto options = small_options("bfs");
  store_run(run_, options);
  const Network network(options);
  const Metadata metadata = {{"config", to_json(options).dump()}, {"step", "1"}};
  auto tensors = tensors_of(network.store);
  const auto last = tensors.back();
  tensors.pop_back();
  save_tensors(best_, tensors, metadata);
  EXPECT_THAT(refusal(), HasSubstr("has no parameter '" + last.first + "'"));
  tensors.push_back(last);
  tensors.emplace_back("processor/extra", last.second);
  save_tensors(best_, tensors, metadata);
  EXPECT_THAT(refusal(), HasSubstr("holds 'processor/extra', which this model does not have"));
  tensors.back() = {"adam/m/" + last.first, last.second};
  save_tensors(best_, tensors, metadata);
  EXPECT_NO_THROW(load_network(find_models(run_, Which::Best).front()));
}

TEST_F(StoredModels, WhatACheckpointSaysAboutItselfMayBeHostile) {
  const Network network(small_options("bfs"));
  const auto config = to_json(small_options("bfs"));
  const auto said = [&](const std::string& extra) {
    auto text = config.dump();
    text.insert(1, "\"extra\": " + extra + ",");
    save_tensors(folder_ / "x.safetensors", tensors_of(network.store),
                 {{"config", text}, {"step", "0"}});
    return error_text([&] { find_models(folder_ / "x.safetensors", Which::Best); });
  };
  EXPECT_THAT(said(std::string(100'000, '[') + std::string(100'000, ']')),
              HasSubstr("'config' in '" + (folder_ / "x.safetensors").string() +
                        "' is nested more than 32 deep at line 1, column"));
  EXPECT_THAT(said("1e999"), HasSubstr("has the number 1e999 at line 1, column"));
  EXPECT_THAT(said("\"" + std::string(2'000'000, 'x') + "\""),
              HasSubstr("bytes; expected at most"));
}

TEST_F(StoredModels, SizesThatTheFileCannotHoldTakeNoMemory) {
  auto options = small_options("bfs");
  const Network network(options);
  options.model.hidden = 1'000'000'000'000;
  save_tensors(folder_ / "x.safetensors", tensors_of(network.store),
               {{"config", to_json(options).dump()}, {"step", "0"}});
  const auto model = find_models(folder_ / "x.safetensors", Which::Best).front();
  EXPECT_THAT(error_text([&] { load_network(model); }),
              HasSubstr("but the network that it says it holds has "));
}

TEST_F(StoredModels, AFileThatSaysNothingAboutItselfIsNoCheckpoint) {
  const Network network(small_options("bfs"));
  save_tensors(folder_ / "x.safetensors", tensors_of(network.store), {});
  EXPECT_THAT(error_text([&] { find_models(folder_ / "x.safetensors", Which::Best); }),
              HasSubstr("does not say what it belongs to; it is not a checkpoint"));
}

TEST(ScoreSamples, ABatchEqualsItsSamplesOneByOne) {
  const auto options = small_options("topological_sort");
  const Network network(options);
  const auto data =
      clrs::generate(network.task.algorithm(), {.seed = 3, .length = 6, .samples = 5});
  const auto together = score_samples(network, data.samples, {.batch = 5});
  for (std::size_t k = 0; k < 5; ++k) {
    const auto alone = score_samples(network, {&data.samples[k], 1}, {.batch = 1});
    EXPECT_EQ(alone.front(), together[k]);
  }
}

TEST(ScoreSamples, HintsStandBesideTheNextStepUpToEachSamplesEnd) {
  const Network network(small_options("bfs"));
  const auto data = clrs::generate(network.task.algorithm(),
                                   {.seed = 3, .length = 8, .samples = 6, .sampler = {.p = {0.4}}});
  const auto scored = score_samples(network, data.samples, {.batch = 3, .hints = true});
  ASSERT_EQ(scored.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto& sample = data.samples[k];
    std::vector<double> truth((sample.length() - 1) * 8);
    for (int t = 1; t < sample.length(); ++t)
      sample.series("reach_h").expand(t, truth.data() + (t - 1) * 8);
    EXPECT_EQ(scored[k].hints.at("reach_h").truth, truth);
    EXPECT_EQ(scored[k].hints.at("reach_h").predicted.size(), truth.size());
  }
}

TEST(ScoreSamples, ValidationAndTestAreScoredAlike) {
  for (const char* algorithm : {"bridges", "lcs_length", "minimum", "floyd_warshall"}) {
    const Network network(small_options(algorithm));
    const auto data =
        clrs::generate(network.task.algorithm(), {.seed = 3, .length = 7, .samples = 9});
    const auto samples = score_samples(network, data.samples, {.batch = 4});
    const auto sheet = score_sheet(network.task.spec(), samples);
    const auto scores = scores_of(network.task.spec(), samples);
    EXPECT_EQ(sheet.score.value, scores.score) << algorithm;
    for (const auto& [name, score] : scores.outputs)
      EXPECT_EQ(sheet.outputs.at(name).value, score) << algorithm << ", " << name;
  }
}

}  // namespace
}  // namespace npq::train
