// npq predict: a trained model on a user's own input.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/output.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/clrs/samplers/inputs_json.h"
#include "npq/train/checkpoints/stored_model.h"
#include "npq/train/measuring/training_range.h"
#include "npq/train/scoring/score_json.h"
#include "npq/train/scoring/scoring.h"

namespace npq::app {
namespace {

using clrs::Location;
using clrs::Probe;
using clrs::Stage;
using clrs::Type;
using train::Decided;
using train::ScoredSample;
using train::StoredModel;

clrs::Sample run_algorithm(const clrs::Algorithm& algorithm, const clrs::Inputs& inputs) {
  clrs::Trace trace(algorithm.spec());
  algorithm.run(inputs, trace);
  return trace.finish();
}

using Row = std::span<const double>;

/// One frame as texts, one per place: the marked node of a mask_one, class numbers, "-" where
/// nothing counts.
std::vector<std::string> places(const Probe& probe, int nodes, Row frame) {
  std::size_t width = 1;
  if (probe.type == Type::MaskOne) width = nodes;
  if (probe.type == Type::Categorical) width = probe.classes;
  if (probe.type == Type::PermutationPointer) width = nodes;
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < frame.size(); begin += width) {
    const auto row = frame.subspan(begin, width);
    if (std::find(row.begin(), row.end(), -1) != row.end()) {
      texts.emplace_back("-");
    } else if (width > 1) {
      texts.push_back(std::to_string(std::max_element(row.begin(), row.end()) - row.begin()));
    } else {
      texts.push_back(fmt::format("{:.4g}", row[0]));
    }
  }
  return texts;
}

/// A place that is not scored is never wrong.
bool same(const Probe& probe, const std::string& predicted, const std::string& truth) {
  return probe.type == Type::Scalar || truth == "-" || predicted == truth;
}

std::string joined(const Probe& probe, const std::vector<std::string>& shown,
                   const std::vector<std::string>& truth, bool mark) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < shown.size(); ++i)
    cells.push_back(mark && !same(probe, shown[i], truth[i]) ? paint(shown[i], Colour::Red)
                                                             : shown[i]);
  return fmt::format("{}", fmt::join(cells, " "));
}

std::string count_right(const Probe& probe, const std::vector<std::string>& predicted,
                        const std::vector<std::string>& truth) {
  std::size_t right = 0, all = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == "-") continue;
    ++all;
    right += predicted[i] == truth[i];
  }
  if (probe.type == Type::Scalar) return "";
  return fmt::format("{} of {} right", right, all);
}

/// Predictions above the truth, row by row where there is one value per pair of nodes.
void print_output(const Probe& probe, int nodes, const Decided& values) {
  const auto predicted = places(probe, nodes, values.predicted);
  const auto truth = places(probe, nodes, values.truth);
  fmt::print("{}: {}\n", paint(probe.name, Colour::Bold), count_right(probe, predicted, truth));
  const std::size_t width = probe.location == Location::Edge ? nodes : predicted.size();
  for (std::size_t begin = 0; begin < predicted.size(); begin += width) {
    const auto part = [&](const auto& all) {
      return std::vector<std::string>(all.begin() + begin, all.begin() + begin + width);
    };
    const auto row =
        probe.location == Location::Edge ? fmt::format("from {:>3}  ", begin / width) : "";
    fmt::print("  {}predicted  {}\n", row, joined(probe, part(predicted), part(truth), true));
    fmt::print("  {}true       {}\n", row, joined(probe, part(truth), part(truth), false));
  }
}

/// One line per hint: the prediction, and what the algorithm did if it differs.
void print_step(const clrs::Spec& spec, const ScoredSample& sample, std::size_t step) {
  for (const auto& probe : spec) {
    if (probe.stage != Stage::Hint) continue;
    const auto& values = sample.hints.at(probe.name);
    const auto size = static_cast<std::size_t>(clrs::elements(probe, sample.nodes));
    const auto predicted =
        places(probe, sample.nodes, Row(values.predicted).subspan(step * size, size));
    const auto truth = places(probe, sample.nodes, Row(values.truth).subspan(step * size, size));
    if (probe.location == Location::Edge) {
      fmt::print("  {}: {} pairs, {}\n", paint(probe.name, Colour::Cyan), predicted.size(),
                 probe.type == Type::Scalar ? "see --json" : count_right(probe, predicted, truth));
      continue;
    }
    fmt::print("  {}: {}{}\n", paint(probe.name, Colour::Cyan),
               joined(probe, predicted, truth, true),
               predicted == truth ? "" : fmt::format("   (true: {})", fmt::join(truth, " ")));
  }
}

void print_text(const clrs::Spec& spec, const ScoredSample& sample, int steps, bool trace) {
  for (int t = 1; trace && t < steps; ++t) {
    fmt::print("{}\n", paint(fmt::format("step {}", t), Colour::Bold));
    print_step(spec, sample, static_cast<std::size_t>(t - 1));
  }
  for (const auto& probe : spec)
    if (probe.stage == Stage::Output)
      print_output(probe, sample.nodes, sample.outputs.at(probe.name));
  if (!sample.valid.empty())
    fmt::print("{} of {} nodes have a parent on a shortest path\n",
               std::count(sample.valid.begin(), sample.valid.end(), 1), sample.valid.size());
}

struct Asked {
  std::string name;
  clrs::Sample sample;
};

/// Every input, run through its algorithm before the network: a mistyped one is reported at once.
std::vector<Asked> asked(const clrs::Algorithm& algorithm, const std::string& file) {
  std::vector<Asked> all;
  for (const auto& [name, inputs] : clrs::read_all_inputs(algorithm, file))
    all.push_back({name, run_algorithm(algorithm, inputs)});
  return all;
}

nlohmann::json answer_json(const train::Network& network, const StoredModel& model,
                           const Asked& one, const ScoredSample& scored) {
  auto result = train::to_json(network.task.spec(), scored);
  result["input"] = one.name;
  result["algorithm"] = network.task.algorithm().name;
  result["checkpoint"] = model.name;
  result["step"] = model.step;
  result["steps"] = one.sample.length();
  return result;
}

}  // namespace

int run_predict(const PredictCommand& command) {
  use_threads(command.threads);
  const auto model = train::find_models(command.run, train::find_one(command.which)).front();
  const auto& algorithm = clrs::find_algorithm(model.options.algorithm);
  const auto all = asked(algorithm, command.input);
  std::optional<AtomicFile> out;
  if (!command.out.empty()) {
    if (const auto folder = std::filesystem::path(command.out).parent_path(); !folder.empty())
      make_folder(folder);
    out.emplace(command.out);
  }
  const auto network = train::load_network(model);
  const train::TrainingRange range(model.options);
  const bool as_json = command.json || out;
  const bool hints = command.trace || (as_json && network->model.options().decodes_hints());
  for (const auto& one : all) {
    for (const auto& sentence : range.outside(one.sample))
      complain(fmt::format("{}: {}; the answer may be worth little", one.name, sentence));
    const auto scored =
        train::score_samples(*network, {&one.sample, 1}, {.batch = 1, .hints = hints}).front();
    auto line = as_json ? answer_json(*network, model, one, scored) : nlohmann::json();
    if (as_json) line["run"] = command.run;
    if (out) out->write(line.dump() + "\n");
    if (command.json) fmt::print("{}\n", line.dump());
    if (as_json) continue;
    if (all.size() > 1) fmt::print("{}\n", paint(one.name, Colour::Bold));
    fmt::print("{} on {} nodes, {} steps; {} of {}\n", paint(algorithm.name, Colour::Bold),
               one.sample.nodes(), one.sample.length(), model.name, command.run);
    print_text(network->task.spec(), scored, one.sample.length(), command.trace);
  }
  if (!out) return 0;
  out->commit();
  if (!command.json)
    fmt::print("{}: the answers to {} input{}, one per line\n", command.out, all.size(),
               all.size() == 1 ? "" : "s");
  return 0;
}

}  // namespace npq::app
