#pragma once
#include <string>
#include <vector>

#include "npq/train/scoring/score_sheet.h"

namespace npq::train {

/// Records as bytes and back, bit for bit: from one rank to another of the same program.
std::string to_bytes(const std::vector<ScoredSample>& samples);
std::vector<ScoredSample> samples_of(const std::string& bytes);

}  // namespace npq::train
