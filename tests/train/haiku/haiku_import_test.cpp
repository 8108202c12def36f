#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/stored_model.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/torch_golden.h"
#include "tests/train/haiku/haiku_cases.h"

namespace npq::train {
namespace {

using test::error_text;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kCase = NPQ_TESTS_DIR "/golden/model/checkpoint_case.safetensors";

std::vector<float> as_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

TEST(HaikuImport, ReadsEveryNumberOfTheBenchmarksOwnCheckpointUnderOurNames) {
  const auto golden = SafetensorsFile::open(kCase);
  const auto checkpoint = read_haiku_checkpoint(kPickle, {});
  std::size_t in_golden = 0;
  for (const auto& info : golden.tensors()) in_golden += info.name.starts_with("params/");
  EXPECT_EQ(checkpoint.parameters.size(), in_golden);
  for (const auto& entry : checkpoint.parameters) {
    EXPECT_EQ(entry.value.values, as_floats(golden.values<double>("params/" + entry.name)))
        << entry.name;
    EXPECT_EQ(entry.m.values, as_floats(golden.values<double>("adam/m/" + entry.name)));
    EXPECT_EQ(entry.v.values, as_floats(golden.values<double>("adam/v/" + entry.name)));
    EXPECT_EQ(entry.value.shape, golden.at("params/" + entry.name).shape);
  }
  EXPECT_TRUE(checkpoint.has_adam);
  EXPECT_EQ(checkpoint.updates, static_cast<std::int64_t>(golden.values<double>("adam/count")[0]));
}

TEST(HaikuImport, ParameterNamesAreThoseThatTheGoldenFileLists) {
  const auto golden = SafetensorsFile::open(kCase);
  const auto names = nlohmann::json::parse(golden.metadata().at("haiku_names"));
  const auto options = read_haiku_checkpoint(kPickle, {}).options;
  for (const auto& [ours, theirs] : names.items()) {
    const auto [module, leaf] = haiku_name(ours, options);
    EXPECT_EQ(module + " " + leaf, theirs.get<std::string>());
  }
}

TEST(HaikuImport, TellsTheNetworkFromItsArraysAndSaysWhatTheyLeaveOpen) {
  const auto checkpoint = read_haiku_checkpoint(kPickle, {});
  EXPECT_EQ(checkpoint.options.algorithm, "dijkstra");
  EXPECT_EQ(checkpoint.options.model.hidden, 16);
  EXPECT_EQ(checkpoint.options.model.processor.name, "mpnn");
  EXPECT_EQ(checkpoint.options.memory.name, "none");
  EXPECT_THAT(checkpoint.assumed, ElementsAre(AllOf(HasSubstr("deepsets, mpnn, pgn, pgn_mask"),
                                                    HasSubstr("taken as mpnn"))));
  const auto said = read_haiku_checkpoint(kPickle, {.processor = "pgn"});
  EXPECT_EQ(said.options.model.processor.name, "pgn");
  EXPECT_THAT(said.assumed, IsEmpty());
}

TEST(HaikuImport, WhatIsWrittenLoadsAsACheckpoint) {
  const TemporaryFolder folder;
  const auto path = folder / "imported.safetensors";
  const auto checkpoint = read_haiku_checkpoint(kPickle, {});
  save_checkpoint(path, checkpoint);
  const auto models = find_models(path, Which::Best);
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].step, checkpoint.updates - 1);
  const auto network = load_network(models[0]);
  for (const auto& entry : checkpoint.parameters) {
    const auto tensor = network->store.at(entry.name).contiguous();
    EXPECT_TRUE(
        std::equal(entry.value.values.begin(), entry.value.values.end(), tensor.data_ptr<float>()))
        << entry.name;
  }
  EXPECT_EQ(load_tensors(path).tensors.size(), 3 * checkpoint.parameters.size());
}

TEST(HaikuImport, TheImportedNetworkComputesWhatTheBenchmarkComputed) {
  const TemporaryFolder folder;
  save_checkpoint(folder / "x.safetensors", read_haiku_checkpoint(kPickle, {}));
  const auto network = load_network(find_models(folder / "x.safetensors", Which::Best).front());
  const test::GoldenNetwork golden(kCase);
  const auto unrolled = network->model.unroll(golden.batch(at::kFloat),
                                              {.mode = model::UnrollOptions::Mode::Evaluate});
  // Float32 here, float64 there: the tolerance of the golden files' README.
  const auto pi = golden.tensor("pred/output/pi");
  EXPECT_LT((unrolled.outputs.at("pi") - pi).abs().max().item<double>(), 5e-5);
  const auto d = golden.tensor("pred/hint/d");
  EXPECT_LT((unrolled.hints.at("d") - d).abs().max().item<double>(), 5e-5);
}

TEST(HaikuImport, SaysWhatDoesNotFitTheUsersWords) {
  EXPECT_THAT(error_text([] { read_haiku_checkpoint(kPickle, {.algorithm = "bfs"}); }),
              HasSubstr("not the probes of bfs"));
  EXPECT_THAT(error_text([] { read_haiku_checkpoint(kPickle, {.processor = "gat"}); }),
              HasSubstr("not those of processor 'gat'; they fit deepsets, mpnn"));
  EXPECT_THAT(error_text([] { read_haiku_checkpoint(kPickle, {.memory = "npq_w"}); }),
              HasSubstr("it has no memory"));
}

TEST(HaikuImport, EveryAlgorithmIsToldByItsProbesOrAskedFor) {
  const TemporaryFolder folder;
  for (const auto& algorithm : clrs::catalog()) {
    const auto options = options_for(std::string(algorithm.name), "mpnn");
    put_file(folder / "x.pkl", pickle_of(arrays_for(options)));
    const bool twin = algorithm.name == "insertion_sort" || algorithm.name == "bubble_sort";
    if (twin) {
      EXPECT_THAT(error_text([&] { read_haiku_checkpoint(folder / "x.pkl", {}); }),
                  HasSubstr("insertion_sort and bubble_sort, which have the same probes"));
    }
    const auto checkpoint = read_haiku_checkpoint(
        folder / "x.pkl", {.algorithm = twin ? std::string(algorithm.name) : ""});
    EXPECT_EQ(checkpoint.options.algorithm, algorithm.name);
  }
}

TEST(HaikuImport, HintModesAreToldByTheProbes) {
  const TemporaryFolder folder;
  for (const auto mode : {model::HintMode::DecodedOnly, model::HintMode::None}) {
    auto options = options_for("bfs", "mpnn");
    options.model.hint_mode = mode;
    put_file(folder / "x.pkl", pickle_of(arrays_for(options)));
    EXPECT_EQ(read_haiku_checkpoint(folder / "x.pkl", {.algorithm = "bfs"}).options.model.hint_mode,
              mode);
  }
}

TEST(HaikuImport, ArraysOfJaxAreReadAsTheNumpyArraysInside) {
  const TemporaryFolder folder;
  const auto options = options_for("bfs", "mpnn");
  put_file(folder / "x.pkl", pickle_of(arrays_for(options), /*jax=*/true));
  const auto checkpoint = read_haiku_checkpoint(folder / "x.pkl", {});
  EXPECT_EQ(checkpoint.parameters.back().value.values.front(), checkpoint.parameters.size() - 1);
}

}  // namespace
}  // namespace npq::train
