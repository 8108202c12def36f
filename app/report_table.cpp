#include "app/report_table.h"

#include <fmt/format.h>

#include "app/table.h"

namespace npq::app {

void print_table(const report::Table& of_report) {
  if (of_report.rows.empty()) return;
  std::vector<std::vector<std::string>> rows(1);
  std::vector<int> right;
  for (std::size_t c = 0; c < of_report.columns.size(); ++c) {
    rows[0].push_back(of_report.columns[c].name);
    if (of_report.columns[c].number) right.push_back(static_cast<int>(c));
  }
  rows.insert(rows.end(), of_report.rows.begin(), of_report.rows.end());
  fmt::print("{}", table(rows, right));
}

}  // namespace npq::app
