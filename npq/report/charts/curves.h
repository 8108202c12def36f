#pragma once
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

/// All that can be drawn of the models of one algorithm: validation and loss against steps and
/// time, test scores as bars and against the size of the graphs, the health of the memory.
std::string curves_section(const std::string& algorithm, const std::vector<const Group*>& groups);
/// The same of models on peptides, without a heading: errors instead of scores.
std::string peptides_curves(const std::vector<const Group*>& groups);

}  // namespace npq::report
