// Anybody's predictions, scored.
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/names.h"
#include "npq/c/clrs_things.h"
#include "npq/train/scoring/score_json.h"
#include "npq/train/scoring/validity.h"

namespace npq::c {
namespace {

using clrs::Probe;
using clrs::Sample;
using clrs::Type;

/// A caller's array: [count, ...] numbers of one output.
struct Prediction {
  const Probe* probe;
  const double* values;
  std::int64_t width;  // numbers per sample
};

std::vector<Probe> outputs_of(const clrs::Spec& spec) {
  std::vector<Probe> outputs;
  for (const auto& probe : spec)
    if (probe.stage == clrs::Stage::Output) outputs.push_back(probe);
  return outputs;
}

bool is_pointer(const Probe& probe) {
  return probe.type == Type::Pointer || probe.type == Type::ShouldBePermutation;
}

void check_shape(const npq_array& array, const Probe& probe, int nodes, std::size_t count) {
  auto expected = clrs::shape(probe, nodes);
  expected.insert(expected.begin(), static_cast<std::int64_t>(count));
  if (array.axes < 0 || array.axes > NPQ_MOST_AXES)
    throw UsageError("predictions of '{}' have {} axes; an array has 0 to {}", probe.name,
                     array.axes, NPQ_MOST_AXES);
  const std::vector<std::int64_t> found(array.shape, array.shape + array.axes);
  if (found != expected)
    throw UsageError("predictions of '{}' have the shape [{}]; expected [{}]", probe.name,
                     fmt::join(found, ", "), fmt::join(expected, ", "));
  if (array.dtype != NPQ_FLOAT64)
    throw UsageError("predictions of '{}' are not float64 numbers; convert them", probe.name);
}

void check_values(const Prediction& prediction, int nodes, std::size_t count) {
  const auto& probe = *prediction.probe;
  for (std::int64_t i = 0; i < prediction.width * static_cast<std::int64_t>(count); ++i) {
    const double value = prediction.values[i];
    if (!std::isfinite(value))
      throw UsageError("predictions of '{}' hold {} in sample {}; expected finite numbers",
                       probe.name, value, i / prediction.width);
    if (is_pointer(probe) && !(value >= 0 && value < nodes && value == std::floor(value)))
      throw UsageError(
          "predictions of '{}' hold {} in sample {}; expected the number of a node, 0 to {}",
          probe.name, value, i / prediction.width, nodes - 1);
  }
}

std::vector<Prediction> checked(const std::vector<Probe>& outputs, int nodes, std::size_t count,
                                std::span<const npq_array> arrays) {
  std::vector<std::string_view> known;
  known.reserve(outputs.size());
  for (const auto& probe : outputs) known.push_back(probe.name);
  std::vector<Prediction> predictions;
  for (const auto& probe : outputs) {
    const npq_array* found = nullptr;
    for (const auto& array : arrays)
      if (probe.name == required(array.name, "name of a prediction")) found = &array;
    if (!found)
      throw UsageError("there are no predictions of '{}'; expected arrays for: {}", probe.name,
                       fmt::join(known, ", "));
    check_shape(*found, probe, nodes, count);
    predictions.push_back({&probe, static_cast<const double*>(required(found->data, "data")),
                           clrs::elements(probe, nodes)});
    check_values(predictions.back(), nodes, count);
  }
  for (const auto& array : arrays)
    if (std::find(known.begin(), known.end(), std::string_view(array.name)) == known.end())
      throw unknown_name("output", array.name, known);
  return predictions;
}

void add_validity(const clrs::Algorithm& algorithm, const Sample& sample,
                  train::ScoredSample& scored) {
  if (!train::has_many_answers(algorithm.name)) return;
  clrs::EdgeScalars A(sample.nodes());
  sample.series("A").expand(0, A.values().data());
  const int s = sample.series("s").frame<std::uint16_t>(0)[0];
  scored.valid = train::valid_parents(algorithm.name, A, s, scored.outputs.at("pi").predicted);
}

nlohmann::json evaluate(const ClrsDataset& dataset, std::span<const std::int64_t> indices,
                        std::span<const npq_array> arrays) {
  const auto chosen = dataset.samples(indices);
  const int nodes = chosen[0]->nodes();
  const auto outputs = outputs_of(dataset.spec());
  const auto predictions = checked(outputs, nodes, chosen.size(), arrays);
  std::vector<train::ScoredSample> scored(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    scored[k].nodes = nodes;
    for (const auto& [probe, values, width] : predictions) {
      const double* begin = values + static_cast<std::int64_t>(k) * width;
      train::Decided decided{{begin, begin + width}, std::vector<double>(width)};
      chosen[k]->series(probe->name).expand(0, decided.truth.data());
      scored[k].outputs[probe->name] = std::move(decided);
    }
    add_validity(*dataset.data.algorithm, *chosen[k], scored[k]);
  }
  return train::to_json(train::score_sheet(dataset.spec(), scored));
}

}  // namespace
}  // namespace npq::c

npq_status npq_clrs_evaluate(npq_handle dataset, const int64_t* samples, size_t count,
                             const npq_array* predictions, size_t arrays, npq_handle* text) {
  using namespace npq::c;
  return guarded([&] {
    required(text, "text");
    const auto found = find_as<ClrsDataset>(dataset);
    const auto sheet = evaluate(*found, {required(samples, "samples"), count},
                                {required(predictions, "predictions"), arrays});
    *text = keep(std::make_shared<Text>(sheet.dump()));
  });
}
