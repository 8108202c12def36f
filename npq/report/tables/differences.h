#pragma once
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

/// Which of the models differ from the same network without a memory beyond their interval, which
/// do not, and where that cannot be said the best numbers there are: one sentence without its
/// capital and its full stop. All groups are on peptides, or none is.
std::string what_differs(const std::vector<Group>& groups);

/// The algorithms of the groups, each once.
std::vector<std::string> algorithms_of(const std::vector<Group>& groups);

}  // namespace npq::report
