#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "npq/report/groups.h"

// The paper's own numbers: npq/report/tables/paper.json, which says where they are from.
namespace npq::report {

struct PaperColumn {
  std::string label;
  std::string method;      // empty: the row names it
  std::string checkpoint;  // "best" or "last"
};

struct PaperRow {
  std::string label, algorithm, processor;
  std::string method;            // empty: the column names it
  std::string family;            // of the algorithm, in the large table
  std::string letters;           // as printed; in the large table
  std::vector<Statistic> cells;  // one per column, shares from 0 to 1
};

struct PaperTable {
  std::string name, title, note;
  std::int64_t size = 0;
  std::vector<PaperColumn> columns;
  std::vector<PaperRow> rows;
  std::vector<double> averages;     // as printed, shares; in the large table
  std::vector<std::string> counts;  // win/tie/loss as printed below the letters
};

const std::vector<PaperTable>& paper_tables();

/// The table of Peptides-struct: mean absolute errors, not shares.
struct PaperPeptides {
  std::vector<std::string> methods;
  std::map<std::string, std::vector<Statistic>> rows;  // by processor, one per method

  std::optional<Statistic> error(const std::string& processor, const std::string& method) const;
};
const PaperPeptides& paper_peptides();

/// Mean over algorithms, and mean over families of the mean over a family's algorithms, of those
/// rows that have a score.
struct Averages {
  double algorithms = 0, families = 0;
  int algorithm_count = 0, family_count = 0;
};
Averages averages(const std::vector<PaperRow>& rows,
                  const std::vector<std::optional<double>>& scores);

}  // namespace npq::report
