#pragma once
#include <optional>
#include <string>
#include <vector>

#include "npq/report/tables/tables.h"

namespace npq::report {

/// The log's name for a figure of a memory, in words: "elements alive" for "alive".
std::string health_name(const std::string& name);

/// Whether a figure of a memory is a share, so that it never exceeds 1.
bool is_share(const std::string& name);

/// The part of its strength that a queue loses in every step, over seeds, at the last evaluation;
/// nothing if it is less than nine tenths. Such a queue holds little longer than a step.
std::optional<double> drained_in_every_step(const Group& group);

/// The health of the memories at the last evaluation, a row for each group that has such figures: a
/// queue that is emptied by every step remembers nothing for longer, whatever its scores.
Table health_table(const std::vector<Group>& groups);

}  // namespace npq::report
