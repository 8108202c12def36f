#pragma once
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

/// What the runs show and do not show, in two or three sentences made from their numbers: which
/// models, how long and with how many seeds; what differs from the same network without a memory
/// beyond its interval; and what cannot be said. Runs on peptides have sentences of their own.
std::vector<std::string> conclusion(const std::vector<Group>& groups);

}  // namespace npq::report
