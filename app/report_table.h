#pragma once
#include "npq/report/tables/tables.h"

namespace npq::app {

/// A table of a report on standard output; nothing if it has no rows.
void print_table(const report::Table& rows);

}  // namespace npq::app
