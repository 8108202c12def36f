#pragma once
#include <string>
#include <vector>

#include "npq/report/tables.h"

namespace npq::report {

/// "elements alive" for "alive": what the log calls a figure of a memory, in words.
std::string health_name(const std::string& name);

/// How the memories were doing when they were last looked at, a row for each group that has such
/// figures: a queue that every step empties remembers nothing beyond it, whatever its scores.
Table health_table(const std::vector<Group>& groups);

}  // namespace npq::report
