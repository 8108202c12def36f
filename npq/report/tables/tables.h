#pragma once
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

struct Column {
  std::string name;
  bool number = false;   // right-aligned
  bool verdict = false;  // "holds" or "FAILS": has a colour
};
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // plain texts, not yet escaped
};

/// One row per group: mean and population standard deviation over seeds, scores in percent.
Table group_table(const std::vector<Group>& groups);
/// The same in few columns, for a page of your own: model, seeds, steps, and the test scores, size
/// by size.
Table brief_table(const std::vector<Group>& groups);
/// Why an experiment has each of its models; no rows where it does not say.
Table reasons_table(const std::vector<Group>& groups);
/// One row per run, scores in percent.
Table run_table(const std::vector<Run>& runs);
/// One row per run with every digit, scores as shares: for other programs.
Table raw_table(const std::vector<Run>& runs);

std::string to_csv(const Table& table);
std::string to_markdown(const Table& table);

}  // namespace npq::report
