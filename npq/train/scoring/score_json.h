#pragma once
#include <nlohmann/json_fwd.hpp>

#include "npq/train/scoring/score_sheet.h"

// Predictions and score sheets as JSON, so that other programs can recompute every figure.
namespace npq::train {

/// Values of one probe nested as their shape says, with an axis of steps in front of hints; whole
/// numbers except for scalars.
nlohmann::json nested_json(const clrs::Probe& probe, int nodes, const std::vector<double>& values);
std::vector<double> flat_values(const nlohmann::json& nested);

/// {"nodes": n, "outputs": {"pi": {"predicted": [..], "true": [..]}}, "hints": {..}, "valid": [..]}
nlohmann::json to_json(const clrs::Spec& spec, const ScoredSample& sample);
/// The same back.
ScoredSample scored_sample(const nlohmann::json& json);

/// {"score": {"value": .., "low": .., "high": ..}, "outputs": {..}, "exact": .., ...}
nlohmann::json to_json(const ScoreSheet& sheet);
/// {"value", "low", "high"}.
nlohmann::json to_json(const Figure& figure);

}  // namespace npq::train
