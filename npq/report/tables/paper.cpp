#include "npq/report/tables/paper.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "npq/base/files/json_file.h"
#include "npq/report/pages/embedded.h"

namespace npq::report {
namespace {

using nlohmann::json;

constexpr int kSeeds = 3;

PaperTable table_of(const json& object) {
  PaperTable table{.name = text_at(object, "name"),
                   .title = text_at(object, "title"),
                   .note = text_at(object, "note"),
                   .size = object.at("size").get<std::int64_t>(),
                   .columns = {},
                   .rows = {},
                   .averages = {},
                   .counts = {}};
  for (const auto& column : object.at("columns"))
    table.columns.push_back(
        {text_at(column, "label"), text_at(column, "method"), text_at(column, "checkpoint")});
  for (const auto& row : object.at("rows")) {
    table.rows.push_back({text_at(row, "label"),
                          text_at(row, "algorithm"),
                          text_at(row, "processor"),
                          text_at(row, "method"),
                          text_at(row, "family"),
                          text_at(row, "letters"),
                          {}});
    for (const auto& cell : row.at("cells"))
      table.rows.back().cells.push_back(
          {cell.at(0).get<double>() / 100, cell.at(1).get<double>() / 100, kSeeds});
  }
  if (object.contains("averages"))
    for (const double average : object.at("averages").get<std::vector<double>>())
      table.averages.push_back(average / 100);
  if (object.contains("counts")) object.at("counts").get_to(table.counts);
  return table;
}

json paper_file() { return parse_json(paper_json(), "paper.json"); }

}  // namespace

const PaperPeptides& paper_peptides() {
  static const auto table = [] {
    const auto object = paper_file().at("peptides");
    PaperPeptides peptides{.methods = object.at("methods"), .rows = {}};
    for (const auto& [processor, cells] : object.at("rows").items())
      for (const auto& cell : cells)
        peptides.rows[processor].push_back(
            {cell.at(0).get<double>(), cell.at(1).get<double>(), kSeeds});
    return peptides;
  }();
  return table;
}

std::optional<Statistic> PaperPeptides::error(const std::string& processor,
                                              const std::string& method) const {
  const auto column = std::find(methods.begin(), methods.end(), method) - methods.begin();
  const auto row = rows.find(processor);
  if (row == rows.end() || column == static_cast<std::ptrdiff_t>(methods.size()))
    return std::nullopt;
  return row->second[static_cast<std::size_t>(column)];
}

const std::vector<PaperTable>& paper_tables() {
  static const auto all = [] {
    std::vector<PaperTable> tables;
    const auto file = paper_file();
    for (const auto& table : file.at("tables")) tables.push_back(table_of(table));
    return tables;
  }();
  return all;
}

Averages averages(const std::vector<PaperRow>& rows,
                  const std::vector<std::optional<double>>& scores) {
  Averages result;
  std::map<std::string, std::vector<double>> families;
  std::vector<double> all;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!scores[r]) continue;
    all.push_back(*scores[r]);
    families[rows[r].family].push_back(*scores[r]);
  }
  std::vector<double> by_family;
  by_family.reserve(families.size());
  for (const auto& [unused, members] : families) by_family.push_back(statistic(members).mean);
  result.algorithms = statistic(all).mean;
  result.algorithm_count = static_cast<int>(all.size());
  result.families = statistic(by_family).mean;
  result.family_count = static_cast<int>(by_family.size());
  return result;
}

}  // namespace npq::report
