#include "npq/train/scoring/sample_bytes.h"

#include <nlohmann/json.hpp>

namespace npq::train {
namespace {

using nlohmann::json;

json to_json(const std::map<std::string, Decided>& probes) {
  auto all = json::object();
  for (const auto& [name, decided] : probes) all[name] = {decided.predicted, decided.truth};
  return all;
}

std::map<std::string, Decided> probes_of(const json& all) {
  std::map<std::string, Decided> probes;
  for (const auto& [name, decided] : all.items())
    probes[name] = {decided[0].get<std::vector<double>>(), decided[1].get<std::vector<double>>()};
  return probes;
}

}  // namespace

std::string to_bytes(const std::vector<ScoredSample>& samples) {
  auto all = json::array();
  for (const auto& sample : samples)
    all.push_back({sample.nodes, to_json(sample.outputs), to_json(sample.hints), sample.valid});
  std::string bytes;
  json::to_cbor(all, bytes);
  return bytes;
}

std::vector<ScoredSample> samples_of(const std::string& bytes) {
  std::vector<ScoredSample> samples;
  for (const auto& one : json::from_cbor(bytes))
    samples.push_back({.nodes = one[0].get<int>(),
                       .outputs = probes_of(one[1]),
                       .hints = probes_of(one[2]),
                       .valid = one[3].get<std::vector<int>>()});
  return samples;
}

}  // namespace npq::train
