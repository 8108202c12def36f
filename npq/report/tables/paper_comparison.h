#pragma once
#include "npq/report/tables/paper.h"
#include "npq/report/tables/tables.h"

namespace npq::report {

/// One of the paper's tables in the paper's order, with ours beside it: for every column of it our
/// mean ± population standard deviation, the paper's, and the difference. What we ran less of is
/// in the note. The large table has Win/Tie/Loss letters, their counts and both averages; ours has
/// letters if every model of the row has several seeds.
struct Comparison {
  std::string title, note;
  Table table;
};

/// The tables for which the groups have at least one number.
std::vector<Comparison> compare_with_paper(const std::vector<Group>& groups);

/// The group that stands for a model of the paper: of several, the one with the most steps, then
/// with the most seeds; nullptr if there is none with a score.
const Group* stand_in(const std::vector<Group>& groups, const PaperTable& table,
                      const PaperRow& row, const PaperColumn& column);

}  // namespace npq::report
