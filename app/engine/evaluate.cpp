// npq evaluate: the score sheet of a run's models on test sets of several sizes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/files/evaluation_file.h"
#include "npq/train/checkpoints/shared_state.h"
#include "npq/train/checkpoints/stored_model.h"
#include "npq/train/ranks/alike.h"
#include "npq/train/scoring/score_json.h"
#include "npq/train/scoring/scoring.h"

namespace npq::app {
namespace {

using nlohmann::json;
using train::Figure;
using train::ScoredSample;
using train::ScoreSheet;
using train::StoredModel;

/// A model on a test set without a part of its memory.
struct AblatedScore {
  std::string name;
  Figure score, exact;
  std::vector<double> sample_scores;
  Figure lost;     // whole less ablated, graph by graph
  double changed;  // share of graphs with another prediction
};

/// One model on one test set.
struct Evaluated {
  const StoredModel* model;
  int size;
  std::uint32_t seed;
  std::vector<ScoredSample> samples;
  ScoreSheet sheet;
  double seconds;  // of the network alone
  std::vector<AblatedScore> ablated;
};

std::string text(const Figure& figure) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", figure.value, figure.low, figure.high);
}

clrs::Dataset test_set(const train::Task& task, int size, const EvaluateCommand& command) {
  auto options = task.test_set(size);
  if (command.samples) options.samples = *command.samples;
  options.validate(task.algorithm());
  ProgressBar bar(fmt::format("size {}: generate", size), options.samples, command.quiet);
  return clrs::generate(task.algorithm(), options, command.threads,
                        [&](std::int64_t done, std::int64_t) { bar.update(done); });
}

AblatedScore ablated_score(const clrs::Spec& spec, const std::vector<ScoredSample>& whole,
                           std::string_view name, const std::vector<ScoredSample>& ablated) {
  const auto sheet = train::score_sheet(spec, ablated);
  auto scores = train::sample_scores(spec, ablated);
  const auto lost = train::mean_difference(train::sample_scores(spec, whole), scores);
  double changed = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) changed += whole[i].outputs != ablated[i].outputs;
  return {std::string(name), sheet.score, sheet.exact,
          std::move(scores), lost,        changed / static_cast<double>(whole.size())};
}

Evaluated evaluate(const StoredModel& model, const train::Network& network,
                   const clrs::Dataset& data, const EvaluateCommand& command, train::Ranks& ranks) {
  const auto begin = std::chrono::steady_clock::now();
  ProgressBar bar(fmt::format("{}, size {}", model.name, data.options.length), data.options.samples,
                  command.quiet);
  const auto score = [&](const train::ScoringOptions& options) {
    return train::score_samples(
        network, data.samples, options, [&](std::int64_t done, std::int64_t) { bar.update(done); },
        ranks);
  };
  auto samples = score({.batch = command.batch, .hints = command.hints});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const auto& spec = network.task.spec();
  std::vector<AblatedScore> ablated;
  for (const auto ablation : command.ablations)
    ablated.push_back(
        ablated_score(spec, samples, memory::kAblations[static_cast<std::size_t>(ablation)],
                      score({.batch = command.batch, .hints = false, .ablation = ablation})));
  auto sheet = train::score_sheet(spec, samples);
  return {&model,           data.options.length, data.options.seed, std::move(samples),
          std::move(sheet), elapsed.count(),     std::move(ablated)};
}

/// Where the figures are stored: nowhere for a checkpoint outside a run.
std::optional<RunPaths> folder_of_figures(const EvaluateCommand& command) {
  std::error_code ignored;
  if (!command.save || !std::filesystem::is_directory(command.run, ignored)) return {};
  return RunPaths{command.run};
}

/// The best model is often the last.
bool same_parameters(const train::Network& a, const train::Network& b) {
  return std::equal(
      a.store.begin(), a.store.end(), b.store.begin(), b.store.end(),
      [](const auto& x, const auto& y) { return x.name == y.name && x.value.equal(y.value); });
}

json to_json(const Evaluated& evaluated, const clrs::Spec& spec) {
  auto all = train::to_json(evaluated.sheet);
  all["checkpoint"] = evaluated.model->name;
  all["step"] = evaluated.model->step;
  all["size"] = evaluated.size;
  all["nodes"] = evaluated.samples.front().nodes;
  all["samples"] = evaluated.samples.size();
  all["seed"] = evaluated.seed;
  all["seconds"] = evaluated.seconds;
  all["sample_scores"] = train::sample_scores(spec, evaluated.samples);
  for (const auto& one : evaluated.ablated)
    all["ablations"][one.name] = {{"score", train::to_json(one.score)},
                                  {"exact", train::to_json(one.exact)},
                                  {"lost", train::to_json(one.lost)},
                                  {"changed", one.changed},
                                  {"sample_scores", one.sample_scores}};
  return all;
}

json predictions_of(const Evaluated& evaluated, const clrs::Spec& spec) {
  auto predictions = json::array();
  for (const auto& sample : evaluated.samples) predictions.push_back(train::to_json(spec, sample));
  return predictions;
}

void print_scores(const std::vector<Evaluated>& all) {
  const bool with_valid = all.front().sheet.valid.has_value();
  std::vector<std::vector<std::string>> rows = {
      {"model", "step", "size", "nodes", "samples", "score [95%]", "exact [95%]"}};
  if (with_valid) {
    rows[0].push_back("valid [95%]");
    rows[0].push_back("all valid [95%]");
  }
  rows[0].push_back("seconds");
  for (const auto& one : all) {
    rows.push_back({one.model->name, std::to_string(one.model->step), std::to_string(one.size),
                    std::to_string(one.samples.front().nodes), std::to_string(one.samples.size()),
                    text(one.sheet.score), text(one.sheet.exact)});
    if (with_valid) {
      rows.back().push_back(text(*one.sheet.valid));
      rows.back().push_back(text(*one.sheet.all_valid));
    }
    rows.back().push_back(fmt::format("{:.2f}", one.seconds));
  }
  fmt::print("{}", table(rows, {1, 2, 3, 4, static_cast<int>(rows[0].size()) - 1}));
}

/// How much the network loses without parts of its memory, graph by graph.
void print_ablations(const std::vector<Evaluated>& all) {
  if (all.front().ablated.empty()) return;
  std::vector<std::vector<std::string>> rows = {
      {"model", "size", "memory", "score [95%]", "lost [95%]", "graphs that change"}};
  for (const auto& one : all) {
    rows.push_back({one.model->name, std::to_string(one.size), "whole", text(one.sheet.score)});
    for (const auto& ablated : one.ablated)
      rows.push_back({one.model->name, std::to_string(one.size), ablated.name, text(ablated.score),
                      text(ablated.lost), fmt::format("{:.0f}%", 100 * ablated.changed)});
  }
  fmt::print("\nWhat the memory is worth to the trained network\n{}", table(rows, {1, 5}));
}

/// One line per name, one column per model and size.
void print_by_name(const std::vector<Evaluated>& all, const char* what,
                   std::map<std::string, Figure> ScoreSheet::*figures) {
  std::vector<std::vector<std::string>> rows = {{what}};
  for (const auto& one : all)
    rows[0].push_back(fmt::format("{}, size {}", one.model->name, one.size));
  for (const auto& [name, unused] : all.front().sheet.*figures) {
    rows.push_back({name});
    for (const auto& one : all) {
      const auto found = (one.sheet.*figures).find(name);
      rows.back().push_back(found == (one.sheet.*figures).end() ? "-" : text(found->second));
    }
  }
  fmt::print("{}", table(rows));
}

/// What must be the same for all ranks.
json facts_of(const EvaluateCommand& command,
              const std::vector<std::unique_ptr<train::Network>>& networks) {
  auto facts = own_program();
  facts["sizes"] = command.sizes;
  facts["samples"] = command.samples.value_or(0);
  facts["batch"] = command.batch;
  facts["hints"] = command.hints;
  facts["ablations"] = command.ablations;
  for (const auto& network : networks)
    facts["weights"].push_back(train::weights_checksum(train::tensors_of(network->store)));
  return facts;
}

int evaluate_with(EvaluateCommand command, train::Ranks& ranks) {
  use_threads(command.threads, ranks_here(command.ranks));
  command.quiet = command.quiet || !ranks.is_first();
  give_large_memory_back();
  const auto models = train::find_models(command.run, train::find_which(command.which));
  const auto kept_in = folder_of_figures(command);
  if (kept_in) check_evaluations_can_be_kept(*kept_in);
  std::vector<std::unique_ptr<train::Network>> networks;
  for (const auto& model : models) networks.push_back(train::load_network(model));
  const auto& task = networks.front()->task;
  if (!command.ablations.empty() && models.front().options.memory.name == "none")
    throw UsageError("'{}' has no memory, so nothing can be taken away; leave out --ablate",
                     command.run);
  for (const int size : command.sizes) task.test_set(size).validate(task.algorithm());

  train::check_alike(ranks, facts_of(command, networks));
  std::vector<Evaluated> all;
  for (const int size : command.sizes) {
    const auto data = test_set(task, size, command);
    for (std::size_t m = 0; m < models.size(); ++m) {
      if (m > 0 && same_parameters(*networks[m - 1], *networks[m])) {
        all.push_back(all.back());
        all.back().model = &models[m];
      } else {
        all.push_back(evaluate(models[m], *networks[m], data, command, ranks));
      }
    }
  }
  if (!ranks.is_first()) return 0;
  json result = {{"algorithm", task.algorithm().name},
                 {"processor", models.front().options.model.processor.name},
                 {"memory", models.front().options.memory.name},
                 {"evaluations", json::array()}};
  for (const auto& one : all) result["evaluations"].push_back(to_json(one, task.spec()));
  if (kept_in) keep_evaluations(*kept_in, result);
  if (command.json) {
    result["run"] = command.run;
    for (std::size_t i = 0; i < all.size(); ++i)
      result["evaluations"][i]["predictions"] = predictions_of(all[i], task.spec());
    fmt::print("{}\n", result.dump());
    return 0;
  }
  fmt::print("{}, {}, memory {}: {}\n", paint(task.algorithm().name, Colour::Bold),
             models.front().options.model.processor.name, models.front().options.memory.name,
             command.run);
  print_scores(all);
  print_ablations(all);
  if (all.front().sheet.outputs.size() > 1) print_by_name(all, "output", &ScoreSheet::outputs);
  if (command.hints) print_by_name(all, "hint", &ScoreSheet::hints);
  if (command.which == "all" && models.size() == 1 && models.front().name == "best")
    fmt::print("last.safetensors is not there yet: it is written when training ends\n");
  if (kept_in) fmt::print("kept in {}\n", kept_in->evaluation().string());
  return 0;
}

}  // namespace

int run_evaluate(const EvaluateCommand& command) {
  return with_ranks(command.ranks,
                    [&](const auto& ranks) { return evaluate_with(command, *ranks); });
}

}  // namespace npq::app
