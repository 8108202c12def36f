#include "npq/train/scoring/score_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/formats/json_value.h"

namespace npq::train {
namespace {

using nlohmann::json;

json leaf(const clrs::Probe& probe, double value) {
  if (probe.type == clrs::Type::Scalar) return value;
  return static_cast<std::int64_t>(value);
}

void collect(const json& nested, std::vector<double>& values) {
  if (nested.is_array()) {
    for (const auto& item : nested) collect(item, values);
  } else {
    // JSON has no NaN: a network that went astray shows null.
    values.push_back(nested.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                      : json_as<double>(nested, "a value"));
  }
}

json to_json(const std::map<std::string, Figure>& figures) {
  auto all = json::object();
  for (const auto& [name, figure] : figures) all[name] = to_json(figure);
  return all;
}

json to_json(const clrs::Spec& spec, clrs::Stage stage, int nodes,
             const std::map<std::string, Decided>& values) {
  auto all = json::object();
  for (const auto& probe : spec) {
    const auto found = values.find(probe.name);
    if (probe.stage != stage || found == values.end()) continue;
    all[probe.name] = {{"predicted", nested_json(probe, nodes, found->second.predicted)},
                       {"true", nested_json(probe, nodes, found->second.truth)}};
  }
  return all;
}

std::map<std::string, Decided> decided_values(const json& all) {
  std::map<std::string, Decided> values;
  for (const auto& [name, both] : all.items())
    values[name] = {flat_values(json_member(both, "predicted")),
                    flat_values(json_member(both, "true"))};
  return values;
}

}  // namespace

json to_json(const Figure& figure) {
  return {{"value", figure.value}, {"low", figure.low}, {"high", figure.high}};
}

json nested_json(const clrs::Probe& probe, int nodes, const std::vector<double>& values) {
  auto shape = clrs::shape(probe, nodes);
  const auto frame = clrs::elements(probe, nodes);
  if (probe.stage == clrs::Stage::Hint)
    shape.insert(shape.begin(), static_cast<std::int64_t>(values.size()) / frame);
  std::size_t next = 0;
  const auto build = [&](const auto& self, std::size_t axis) -> json {
    if (axis == shape.size()) return leaf(probe, values.at(next++));
    auto list = json::array();
    for (std::int64_t i = 0; i < shape[axis]; ++i) list.push_back(self(self, axis + 1));
    return list;
  };
  return build(build, 0);
}

std::vector<double> flat_values(const json& nested) {
  std::vector<double> values;
  collect(nested, values);
  return values;
}

json to_json(const clrs::Spec& spec, const ScoredSample& sample) {
  json all = {{"nodes", sample.nodes},
              {"outputs", to_json(spec, clrs::Stage::Output, sample.nodes, sample.outputs)}};
  if (!sample.hints.empty())
    all["hints"] = to_json(spec, clrs::Stage::Hint, sample.nodes, sample.hints);
  if (!sample.valid.empty()) all["valid"] = sample.valid;
  return all;
}

ScoredSample scored_sample(const json& all) {
  try {
    ScoredSample sample{.nodes = json_member<int>(all, "nodes"),
                        .outputs = decided_values(json_member(all, "outputs")),
                        .hints = {},
                        .valid = {}};
    if (all.contains("hints")) sample.hints = decided_values(all["hints"]);
    if (all.contains("valid")) sample.valid = json_as<std::vector<int>>(all["valid"], "'valid'");
    return sample;
  } catch (const Error& error) {
    throw Error("this is not a sample as an evaluation writes it: {}", error.what());
  }
}

json to_json(const ScoreSheet& sheet) {
  json all = {{"score", to_json(sheet.score)},
              {"outputs", to_json(sheet.outputs)},
              {"exact", to_json(sheet.exact)}};
  if (sheet.valid) all["valid"] = to_json(*sheet.valid);
  if (sheet.all_valid) all["all_valid"] = to_json(*sheet.all_valid);
  if (!sheet.hints.empty()) all["hints"] = to_json(sheet.hints);
  return all;
}

}  // namespace npq::train
