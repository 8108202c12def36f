#pragma once
#include <optional>
#include <string>
#include <vector>

#include "npq/report/tables/tables.h"

namespace npq::report {

/// "elements alive" for "alive": what the log calls a figure of a memory, in words.
std::string health_name(const std::string& name);

/// Whether a figure of a memory is a share, so that it never exceeds 1.
bool is_share(const std::string& name);

/// The part of its strength that a queue loses in every step, over seeds, when the log last looked;
/// nothing if it is less than nine tenths. Such a queue holds little longer than a step.
std::optional<double> drained_in_every_step(const Group& group);

/// How the memories were doing when they were last looked at, a row for each group that has such
/// figures: a queue that every step empties remembers nothing beyond it, whatever its scores.
Table health_table(const std::vector<Group>& groups);

}  // namespace npq::report
