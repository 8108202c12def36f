#include "tests/support/torch_golden.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/model/evaluation.h"
#include "npq/model/losses.h"
#include "npq/train/scoring/scoring.h"

namespace npq::test {

using nlohmann::ordered_json;

namespace {

template <class Choice, class Name>
Choice by_name(std::initializer_list<Choice> choices, const std::string& name, Name name_of) {
  for (const auto choice : choices) {
    if (name_of(choice) == name) return choice;
  }
  throw Error("the metadata speak of '{}', which no spec knows", name);
}

clrs::Spec read_spec(const SafetensorsFile& file) {
  using enum clrs::Stage;
  using enum clrs::Location;
  using enum clrs::Type;
  clrs::Spec spec;
  const auto table = ordered_json::parse(file.metadata().at("spec"));
  for (const auto& [name, words] : table.items()) {
    clrs::Probe probe{
        .name = name,
        .stage = by_name({Input, Hint, Output}, words.at(0), [](auto x) { return name_of(x); }),
        .location = by_name({Node, Edge, Graph}, words.at(1), [](auto x) { return name_of(x); }),
        .type = by_name({Scalar, Mask, MaskOne, Categorical, Pointer, PermutationPointer},
                        words.at(2), [](auto x) { return name_of(x); })};
    if (probe.type == Categorical) {
      const std::string stored = std::string(words.at(0)) + "/" + name;
      const auto* info = file.find(stored);
      if (!info) info = &file.at("batch/0/" + stored);
      probe.classes = static_cast<int>(info->shape.back());
    }
    spec.push_back(probe);
  }
  return spec;
}

model::ModelOptions read_options(const ordered_json& hyper) {
  model::ModelOptions options;
  options.hidden = hyper.at("hidden");
  options.processor.name = hyper.at("processor");
  options.processor.layer_norm = hyper.at("use_ln");
  options.processor.heads = hyper.value("heads", std::int64_t{1});
  options.processor.triplet_fts = hyper.value("triplet_features", std::int64_t{8});
  options.message_steps = hyper.value("nb_msg_passing_steps", std::int64_t{1});
  options.teacher_forcing = hyper.value("teacher_forcing", 0.0);
  options.dropout = hyper.value("dropout", 0.0);
  options.hint_mode = choice_named("hint mode", model::kHintModes,
                                   hyper.value("hint_mode", std::string("encoded_decoded")));
  options.repred_mode = choice_named("repred mode", model::kRepredModes,
                                     hyper.value("hint_repred_mode", std::string("soft")));
  // Files give heads to processors without attention too; those must not be asked to divide
  // anything.
  if (options.processor.kind().family == nn::ProcessorFamily::Pgn) options.processor.heads = 1;
  return options;
}

bool is_result(std::string_view name) {
  for (const std::string_view given :
       {"params/", "input/", "hint/", "output/", "adam/", "queue/"}) {
    if (name.starts_with(given)) return false;
  }
  return name != "lengths";
}

double tolerance(std::string_view name, const GoldenTolerances& tolerances) {
  if (name.starts_with("grad/")) return tolerances.gradients;
  if (name.starts_with("loss")) return tolerances.losses;
  // What is decided is equal or wrong; scores are quotients of whole numbers.
  if (name.starts_with("eval/output/") || name == "adj") return 0;
  if (name.starts_with("eval/score")) return 1e-15;
  return tolerances.predictions;
}

}  // namespace

std::filesystem::path own_golden_folder() {
  return std::filesystem::path(NPQ_TESTS_DIR) / "golden";
}

std::filesystem::path golden_folder() {
  const char* given = std::getenv("NPQ_GOLDEN_DIR");
  return given && *given ? std::filesystem::path(given) : own_golden_folder();
}

std::vector<std::filesystem::path> golden_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

GoldenNetwork::GoldenNetwork(const std::filesystem::path& path)
    : file_(SafetensorsFile::open(path)), spec_(read_spec(file_)) {
  const auto hyper = ordered_json::parse(file_.metadata().at("hyper"));
  options_ = read_options(hyper);
  memory_ = hyper.at("memory");
  trains_ = hyper.contains("learning_rate");
}

at::Tensor GoldenNetwork::tensor(std::string_view name, at::ScalarType dtype) const {
  auto values = file_.values<double>(name);
  return at::from_blob(values.data(), file_.at(name).shape, at::kDouble).to(dtype, false, true);
}

model::TensorBatch GoldenNetwork::batch(at::ScalarType dtype, const std::string& prefix) const {
  model::TensorBatch batch;
  for (const auto& probe : spec_) {
    auto& values = probe.stage == clrs::Stage::Input  ? batch.inputs
                   : probe.stage == clrs::Stage::Hint ? batch.hints
                                                      : batch.outputs;
    values[probe.name] =
        tensor(prefix + std::string(clrs::name_of(probe.stage)) + "/" + probe.name, dtype);
  }
  for (const double length : file_.values<double>(prefix + "lengths")) {
    batch.lengths.push_back(static_cast<std::int64_t>(length));
  }
  return batch;
}

ops::ParameterStore GoldenNetwork::parameters(at::ScalarType dtype) const {
  ops::ParameterStore store;
  for (const auto& info : file_.tensors()) {
    if (info.name.starts_with("params/")) store.add(info.name.substr(7), tensor(info.name, dtype));
  }
  return store;
}

nn::TensorMap everything(const model::Model& model, const ops::ParameterStore& store,
                         const model::TensorBatch& batch, std::int64_t steps) {
  nn::TensorMap computed;
  store.zero_grad();
  const auto unrolled = model.unroll(batch, {.steps = steps, .keep_steps = true});
  const auto losses = model::losses(model.spec(), unrolled, batch);
  losses.total.backward();
  computed["loss"] = losses.total;
  for (const auto& [name, loss] : losses.outputs) computed["loss/output/" + name] = loss;
  for (const auto& [name, loss] : losses.hints) computed["loss/hint/" + name] = loss;
  for (const auto& [name, logits] : unrolled.outputs) computed["pred/output/" + name] = logits;
  for (const auto& [name, logits] : unrolled.hints) computed["pred/hint/" + name] = logits;
  for (const auto& [name, value] : store) computed["grad/" + name] = store.grad(name);
  std::vector<at::Tensor> hidden, adjacency;
  for (const auto& step : unrolled.steps) {
    hidden.push_back(step.next.hidden);
    adjacency.push_back(step.decoder_input.adjacency);
  }
  computed["hidden"] = at::stack(hidden, 0);
  computed["adj"] = at::stack(adjacency, 0);

  const auto evaluation = model::evaluate(model, batch);
  for (const auto& [name, logits] : evaluation.raw) computed["eval/raw/" + name] = logits;
  for (const auto& [name, value] : evaluation.hard) computed["eval/output/" + name] = value;
  const auto scores = train::scores_of(
      model.spec(), train::scored_outputs(model.spec(), evaluation.hard, batch.outputs,
                                          static_cast<int>(batch.nodes())));
  computed["eval/score"] = at::scalar_tensor(scores.score, at::kDouble);
  for (const auto& [name, score] : scores.outputs) {
    computed["eval/score_" + name] = at::scalar_tensor(score, at::kDouble);
  }
  return computed;
}

int compare_run(const GoldenNetwork& golden, const std::string& run, const nn::TensorMap& computed,
                const GoldenTolerances& tolerances) {
  int compared = 0;
  for (const auto& info : golden.file().tensors()) {
    if (!info.name.starts_with(run)) continue;
    const auto name = info.name.substr(run.size());
    if (!is_result(name)) continue;
    ++compared;
    const auto found = computed.find(name);
    if (found == computed.end()) {
      ADD_FAILURE() << "the file holds '" << info.name << "', which the network does not compute";
      continue;
    }
    EXPECT_LE(relative_difference(found->second, golden.tensor(info.name)),
              tolerance(name, tolerances))
        << "in " << info.name;
  }
  return compared;
}

double relative_difference(const at::Tensor& computed, const at::Tensor& expected) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (computed.sizes() != expected.sizes()) return kWrong;
  if (expected.numel() == 0) return 0;
  const auto given = computed.detach().to(at::kDouble);
  if (!given.isfinite().all().item<bool>()) return kWrong;
  const double size = std::max(1.0, expected.abs().max().item<double>());
  return (given - expected).abs().max().item<double>() / size;
}

}  // namespace npq::test
