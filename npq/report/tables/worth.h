#pragma once
#include "npq/report/tables/tables.h"

namespace npq::report {

/// What the memory is worth to the trained network: for every model that was tested with
/// npq evaluate --ablate, size by size, what it loses without that part of its memory, on the same
/// graphs, with both intervals: over seeds and over graphs.
Table worth_table(const std::vector<Group>& groups);

}  // namespace npq::report
