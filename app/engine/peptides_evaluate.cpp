// npq peptides evaluate: test errors of a run's models, target by target.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/table.h"
#include "npq/base/error.h"
#include "npq/base/files/evaluation_file.h"
#include "npq/base/files/run_files.h"
#include "npq/lrgb/evaluation.h"
#include "npq/peptides/targets.h"
#include "npq/train/scoring/score_json.h"

namespace npq::app {
namespace {

using nlohmann::json;
using peptides::Part;
using train::Figure;

/// A model without a part of its memory.
struct AblatedErrors {
  std::string name;
  lrgb::ErrorSheet test;
  Figure lost;  // ablated less whole, molecule by molecule
};

struct EvaluatedModel {
  lrgb::PeptideModel model;
  lrgb::ErrorSheet test;
  double val;
  std::vector<AblatedErrors> ablated;
};

std::string error_text(const Figure& figure) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", figure.value, figure.low, figure.high);
}

peptides::Dataset data_of(lrgb::TrainOptions& options, const PeptidesEvaluateCommand& command) {
  if (!command.data.empty()) options.data = command.data;
  if (const auto sum = peptides::dataset_checksum(options.data); sum != options.data_checksum)
    throw Error(
        "the data set '{}' is not the one that run '{}' was trained on (its checksum is {}..., not "
        "{}...); name that one with --data",
        options.data, command.run, sum.substr(0, 12), options.data_checksum.substr(0, 12));
  return peptides::load_dataset(options.data);
}

/// An error in the target's own unit.
double in_unit(const Figure& figure, const peptides::Dataset& dataset, std::size_t target) {
  return figure.value * dataset.deviation[target];
}

void check_ablations(const PeptidesEvaluateCommand& command, const json& config) {
  if (command.ablations.empty()) return;
  if (config.at("memory") == "none")
    throw UsageError("'{}' has no memory, so nothing can be taken away; leave out --ablate",
                     command.run);
  for (const auto ablation : command.ablations)
    if (ablation == memory::Ablation::Shuffle)
      throw UsageError(
          "--ablate shuffle gives a graph the memory of another of its size, and a molecule may "
          "have no such other; use zero, freeze or empty");
}

EvaluatedModel evaluate(const lrgb::PeptideModel& model, const lrgb::PeptideSubject& subject,
                        const PeptidesEvaluateCommand& command) {
  lrgb::load_peptide_model(model, subject);
  EvaluatedModel one{
      model, lrgb::error_sheet(subject, Part::Test), subject.mean_error(Part::Val), {}};
  for (const auto ablation : command.ablations) {
    auto test = lrgb::error_sheet(subject, Part::Test, ablation);
    const auto lost = train::mean_difference(test.molecules, one.test.molecules);
    one.ablated.push_back({std::string(memory::kAblations[static_cast<std::size_t>(ablation)]),
                           std::move(test), lost});
  }
  return one;
}

json to_json(const EvaluatedModel& one, const peptides::Dataset& dataset,
             std::int64_t steps_per_epoch) {
  json targets;
  for (std::size_t k = 0; k < peptides::kTargets; ++k)
    targets[std::string(peptides::kTargetNames[k])] = {
        {"error", train::to_json(one.test.targets[k])},
        {"unit_error", in_unit(one.test.targets[k], dataset, k)}};
  json all = {{"checkpoint", one.model.name},
              {"epoch", one.model.epoch},
              {"step", (one.model.epoch + 1) * steps_per_epoch - 1},
              {"size", 0},
              {"samples", one.test.molecules.size()},
              {"score", train::to_json(one.test.error)},
              {"val", one.val},
              {"targets", targets},
              {"molecule_errors", one.test.molecules}};
  for (const auto& ablated : one.ablated)
    all["ablations"][ablated.name] = {{"score", train::to_json(ablated.test.error)},
                                      {"lost", train::to_json(ablated.lost)},
                                      {"molecule_errors", ablated.test.molecules}};
  return all;
}

void print_errors(const std::vector<EvaluatedModel>& all, const peptides::Dataset& dataset) {
  std::vector<std::vector<std::string>> rows = {
      {"model", "epoch", "molecules", "test MAE [95%]", "val MAE"}};
  for (const auto& one : all)
    rows.push_back({one.model.name, std::to_string(one.model.epoch),
                    std::to_string(one.test.molecules.size()), error_text(one.test.error),
                    fmt::format("{:.4f}", one.val)});
  fmt::print("{}\n", table(rows, {1, 2}));
  rows = {{"target"}};
  for (const auto& one : all) {
    rows[0].push_back(fmt::format("{} [95%]", one.model.name));
    rows[0].emplace_back("in its unit");
  }
  for (std::size_t k = 0; k < peptides::kTargets; ++k) {
    rows.push_back({std::string(peptides::kTargetNames[k])});
    for (const auto& one : all) {
      rows.back().push_back(error_text(one.test.targets[k]));
      rows.back().push_back(fmt::format("{:.4g}", in_unit(one.test.targets[k], dataset, k)));
    }
  }
  fmt::print("{}", table(rows));
}

/// How much the error grows without parts of the memory, molecule by molecule.
void print_ablations(const std::vector<EvaluatedModel>& all) {
  if (all.front().ablated.empty()) return;
  std::vector<std::vector<std::string>> rows = {
      {"model", "memory", "test MAE [95%]", "lost [95%]"}};
  for (const auto& one : all) {
    rows.push_back({one.model.name, "whole", error_text(one.test.error)});
    for (const auto& ablated : one.ablated)
      rows.push_back(
          {one.model.name, ablated.name, error_text(ablated.test.error), error_text(ablated.lost)});
  }
  fmt::print("\nWhat the memory is worth to the trained network\n{}", table(rows));
}

}  // namespace

int run_peptides_evaluate(const PeptidesEvaluateCommand& command) {
  use_threads(command.threads);
  give_large_memory_back();
  const auto paths = find_run(command.run);
  const auto config = read_config(paths);
  if (text_at(config, "algorithm") != kPeptides)
    throw Error("'{}' is not a run on peptides; test it with npq evaluate {}", command.run,
                command.run);
  check_ablations(command, config);
  auto options = lrgb::train_options(config, paths.config().string());
  const auto models = lrgb::find_peptide_models(paths, train::find_which(command.which));
  if (command.save) check_evaluations_can_be_kept(paths);
  auto loaded = data_of(options, command);
  const lrgb::PeptideSubject subject(options, std::move(loaded));
  const auto& dataset = subject.dataset();
  std::vector<EvaluatedModel> all;
  json result = {{"algorithm", kPeptides},
                 {"processor", config.at("processor")},
                 {"memory", config.at("memory")},
                 {"evaluations", json::array()}};
  for (const auto& model : models) {
    all.push_back(evaluate(model, subject, command));
    result["evaluations"].push_back(to_json(all.back(), dataset, subject.steps_per_unit()));
  }
  if (command.save) keep_evaluations(paths, result);
  if (command.json) {
    result["run"] = command.run;
    fmt::print("{}\n", result.dump());
    return 0;
  }
  const auto source = dataset.about.find("source");
  fmt::print("peptides ({}), {}, memory {}: {}\n",
             source == dataset.about.end() ? "unknown data" : source->second,
             config.at("processor").get<std::string>(), config.at("memory").get<std::string>(),
             command.run);
  print_errors(all, dataset);
  print_ablations(all);
  if (command.save) fmt::print("kept in {}\n", paths.evaluation().string());
  return 0;
}

}  // namespace npq::app
