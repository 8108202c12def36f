#include "npq/train/haiku/haiku_import.h"

#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors.h"
#include "npq/memory/catalog.h"
#include "npq/model/model.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/stored_model.h"
#include "npq/train/task.h"
#include "tests/support/error_text.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/torch_golden.h"

namespace npq::train {
namespace {

using test::error_text;
using test::file_content;
using test::PickleWriter;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kPickle = NPQ_TESTS_DIR "/golden/model/haiku_checkpoint.pkl";
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

/// A checkpoint as the reference would save it for these options: every array filled with its
/// place in the list.
HaikuArrays arrays_for(const TrainOptions& options) {
  HaikuArrays arrays;
  float next = 0;
  const Task task(options);
  for (const auto& parameter :
       model::Model::parameters(task.spec(), options.model, options.memory)) {
    const auto [module, leaf] = haiku_name(parameter.name, options);
    arrays[module][leaf] = {parameter.shape, std::vector<float>(parameter.elements(), next++)};
  }
  return arrays;
}

std::string pickle_of(const HaikuArrays& arrays, bool jax = false) {
  PickleWriter out;
  out.begin_dict().text("params").begin_dict();
  for (const auto& [module, leaves] : arrays) {
    out.text(module).begin_dict();
    for (const auto& [leaf, array] : leaves)
      (jax ? out.text(leaf).jax_array(array.shape, array.values)
           : out.text(leaf).array(array.shape, array.values));
    out.end_dict();
  }
  return out.end_dict().end_dict().finish();
}

TrainOptions options_for(const std::string& algorithm, const std::string& processor,
                         const std::string& memory = "none") {
  TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = 8;
  options.model.processor.name = processor;
  if (processor.starts_with("gat")) options.model.processor.heads = 2;
  options.memory = memory::memory_options(memory, memory::Preset::Reference);
  return options;
}

TEST(HaikuNames, LayersAreNumberedInTheOrderInWhichTheReferenceMakesThem) {
  // The table of tests/golden/model/README.md, section 3; P is the processor's module.
  const auto in_processor = [](const char* parameter, const char* processor,
                               const char* memory = "none") {
    const auto [module, leaf] = haiku_name(parameter, options_for("dijkstra", processor, memory));
    const std::string tag = "_clrs_processor/";
    return module.substr(module.find(tag) + tag.size()) + " " + leaf;
  };
  EXPECT_EQ(in_processor("processor/o2.b", "pgn"), "linear_5 b");
  EXPECT_EQ(in_processor("processor/t1.w", "triplet_mpnn"), "linear_6 w");
  EXPECT_EQ(in_processor("processor/t3.w", "triplet_mpnn"), "linear_8 w");
  EXPECT_EQ(in_processor("processor/te1.w", "triplet_mpnn"), "linear_9 w");
  EXPECT_EQ(in_processor("processor/tg.w", "triplet_mpnn"), "linear_12 w");
  EXPECT_EQ(in_processor("processor/o3.w", "triplet_mpnn"), "linear_13 w");
  EXPECT_EQ(in_processor("processor/g1.w", "gmpnn"), "linear_6 w");
  EXPECT_EQ(in_processor("processor/g3.b", "triplet_gmpnn"), "linear_16 b");
  EXPECT_EQ(in_processor("processor/ln.offset", "gat"), "layer_norm offset");
  EXPECT_EQ(in_processor("processor/skip.w", "gat"), "linear_1 w");
  EXPECT_EQ(in_processor("processor/a1.w", "gat"), "linear_2 w");
  EXPECT_EQ(in_processor("processor/ag.w", "gat"), "linear_5 w");
  EXPECT_EQ(in_processor("processor/w1.w", "gatv2"), "linear_2 w");
  EXPECT_EQ(in_processor("processor/ah1.w", "gatv2"), "linear_7 w");
  const std::string queue = "neural_priority_queue";
  EXPECT_EQ(in_processor("memory/s_push.w", "mpnn", "npq_w"),
            queue + "_v2_clrs_memory_module/linear w");
  EXPECT_EQ(in_processor("memory/a2.w", "mpnn", "npq_m_sa"),
            queue + "_v2_clrs_memory_module/linear_5 w");
  EXPECT_EQ(in_processor("memory/v.w", "mpnn", "npq_w_p"), queue + "_clrs_memory_module/linear w");
  EXPECT_EQ(in_processor("memory/a.w", "mpnn", "npq_w_p_sv"),
            queue + "_v1_clrs_memory_module/linear_4 w");
  EXPECT_EQ(in_processor("memory/p.b", "mpnn", "oracle"),
            "pq_hardcoded_clrs_memory_module/linear_2 b");
  EXPECT_EQ(haiku_name("encoder/Pi_h.1.w", options_for("floyd_warshall", "mpnn")).module,
            "net/~_construct_encoders_decoders/algo_0_Pi_h_enc_linear_1");
  EXPECT_EQ(haiku_name("decoder/pi.0.w", options_for("dijkstra", "gat")).module,
            "net/~_construct_encoders_decoders/algo_0_pi_dec_linear");
}

class EveryNetwork : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(EveryNetwork, ComesBackAsItWas) {
  const auto [processor, memory] = GetParam();
  const auto options = options_for("dijkstra", processor, memory);
  put_file(folder_ / "x.pkl", pickle_of(arrays_for(options)));
  const auto checkpoint =
      read_haiku_checkpoint(folder_ / "x.pkl", {.processor = processor, .memory = memory});
  EXPECT_EQ(to_json(checkpoint.options), to_json(options));
  EXPECT_FALSE(checkpoint.has_adam);
  float next = 0;
  for (const auto& entry : checkpoint.parameters)
    EXPECT_EQ(entry.value.values.front(), next++) << entry.name;
}

INSTANTIATE_TEST_SUITE_P(Processors, EveryNetwork,
                         ::testing::Combine(::testing::Values("mpnn", "pgn_mask", "triplet_mpnn",
                                                              "gmpnn", "triplet_gmpnn", "gat",
                                                              "gatv2_full"),
                                            ::testing::Values("none")));
INSTANTIATE_TEST_SUITE_P(Memories, EveryNetwork,
                         ::testing::Combine(::testing::Values("mpnn", "gat"),
                                            ::testing::Values("npq_w", "npq_m_sa", "npq_m_p",
                                                              "npq_w_p_sv", "oracle")));

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

std::string refusal(const std::string& content) {
  const TemporaryFolder folder;
  put_file(folder / "x.pkl", content);
  const auto text = error_text([&] { read_haiku_checkpoint(folder / "x.pkl", {}); });
  EXPECT_THAT(text, HasSubstr("x.pkl'"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("\n")));
  return text;
}

TEST(HaikuImport, ArraysThatAreMissingMisshapenOrTooManyAreNamed) {
  const auto good = arrays_for(options_for("bfs", "mpnn"));
  auto missing = good;
  missing["net/mpnn_aggr_clrs_processor/mlp/~/linear_1"].erase("b");
  EXPECT_THAT(refusal(pickle_of(missing)),
              AllOf(HasSubstr("linear_1 b' is missing"), HasSubstr("our 'processor/mlp1.b'")));
  auto misshapen = good;
  misshapen["net/mpnn_aggr_clrs_processor/linear"]["w"] = {{2, 3}, std::vector<float>(6)};
  EXPECT_THAT(refusal(pickle_of(misshapen)), HasSubstr("has shape [2, 3]; expected [16, 8]"));
  auto more = good;
  more["net/surprise"]["w"] = {{1}, {1}};
  EXPECT_THAT(refusal(pickle_of(more)), HasSubstr("'net/surprise' belongs to no part"));
  auto several = good;
  several["net/~_construct_encoders_decoders/algo_1_pos_enc_linear"]["b"] = {{1}, {1}};
  EXPECT_THAT(refusal(pickle_of(several)), HasSubstr("trained on several algorithms"));
}

TEST(HaikuImport, ForeignPicklesAreRefusedInOneSentence) {
  EXPECT_THAT(refusal(PickleWriter().text("hello").finish()),
              AllOf(HasSubstr("no checkpoint of the benchmark"), HasSubstr("a text")));
  EXPECT_THAT(refusal(PickleWriter().begin_dict().text("a").text("b").end_dict().finish()),
              HasSubstr("no 'params'"));
  EXPECT_THAT(refusal(PickleWriter()
                          .begin_dict()
                          .text("params")
                          .begin_dict()
                          .text("layer")
                          .begin_dict()
                          .text("w")
                          .array({1}, {1})
                          .end_dict()
                          .end_dict()
                          .end_dict()
                          .finish()),
              HasSubstr("it belongs to another program"));
  EXPECT_THAT(refusal(PickleWriter().begin_dict().text("params").text("none").end_dict().finish()),
              HasSubstr("params of a pickle is a text"));
}

TEST(HaikuImport, AnOptimiserStateOfAnotherFormIsRefused) {
  PickleWriter out;
  out.begin_dict().text("params").begin_dict().end_dict().text("opt_state");
  out.global("optax._src.transform", "ScaleByAdamState").begin_tuple().integer(3).end_tuple();
  EXPECT_THAT(refusal(out.new_object().end_dict().finish()),
              HasSubstr("Adam's state has 1 parts; expected 3"));
}

TEST(HaikuImport, HostilePicklesRunNothing) {
  const TemporaryFolder folder;
  const auto trap = (folder / "trap").string();
  EXPECT_THAT(refusal(PickleWriter()
                          .global("os", "system")
                          .begin_tuple()
                          .text("touch " + trap)
                          .end_tuple()
                          .reduce()
                          .finish()),
              AllOf(HasSubstr("os.system"), HasSubstr("nothing was run")));
  EXPECT_FALSE(std::filesystem::exists(trap));
}

TEST(HaikuImport, ATruncatedOrChangedPickleNeverCrashes) {
  const TemporaryFolder folder;
  const auto whole = file_content(kPickle);
  for (std::size_t size = 0; size < whole.size(); size += 977) {
    put_file(folder / "x.pkl", whole.substr(0, size));
    EXPECT_THROW(read_haiku_checkpoint(folder / "x.pkl", {}), Error) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 997) {
    auto changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    put_file(folder / "x.pkl", changed);
    try {
      read_haiku_checkpoint(folder / "x.pkl", {});  // a number may have changed: that is no damage
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace npq::train
