#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "npq/base/error.h"
#include "npq/base/printable.h"
#include "npq/peptides/chemistry.h"
#include "npq/peptides/csv.h"
#include "npq/peptides/import.h"
#include "npq/peptides/targets.h"

namespace npq::peptides {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

struct Columns {
  std::size_t smiles = 0;
  std::array<std::size_t, kTargets> targets = {};
  std::vector<bool> wanted;
};

Columns find_columns(const std::vector<std::string>& header, const std::string& name) {
  const auto find = [&](std::string_view wanted) {
    std::vector<std::size_t> found;
    for (std::size_t c = 0; c < header.size(); ++c)
      if (lower_case(trimmed(header[c])) == lower_case(wanted)) found.push_back(c);
    if (found.size() == 1) return found.front();
    std::string all;
    for (const auto& column : header) all += (all.empty() ? "" : ", ") + printable(column, 40);
    throw Error("'{}' has {} column '{}'; its columns are: {}", name,
                found.empty() ? "no" : "more than one", wanted, all.empty() ? "none" : all);
  };
  Columns columns;
  columns.wanted.resize(header.size());
  columns.smiles = find("smiles");
  columns.wanted[columns.smiles] = true;
  for (std::size_t k = 0; k < kTargets; ++k) {
    columns.targets[k] = find(kTargetNames[k]);
    columns.wanted[columns.targets[k]] = true;
  }
  return columns;
}

TableRow row_of(std::vector<std::string>& fields, const Columns& columns) {
  TableRow row;
  row.smiles = std::move(fields[columns.smiles]);
  for (std::size_t k = 0; k < kTargets && row.problem.empty(); ++k) {
    const auto text = trimmed(fields[columns.targets[k]]);
    const auto* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, row.targets[k]);
    if (text.empty())
      row.problem = fmt::format("column '{}' is empty", kTargetNames[k]);
    else if (error != std::errc() || end != last || !std::isfinite(row.targets[k]))
      row.problem = fmt::format("column '{}' holds '{}'; expected a finite number", kTargetNames[k],
                                printable(text));
  }
  return row;
}

}  // namespace

std::vector<TableRow> read_table(const std::filesystem::path& path) {
  const auto name = path.string();
  CsvReader csv(open_text(name), name);
  const auto header = csv.next();
  const auto columns = find_columns(header, name);
  std::vector<TableRow> rows;
  for (;;) {
    auto fields = csv.next(columns.wanted, kLongestSmiles + 1);
    if (fields.empty()) break;
    if (fields.size() != header.size())
      throw Error("'{}', row {}: it has {} fields, but the header has {}", name, rows.size(),
                  fields.size(), header.size());
    rows.push_back(row_of(fields, columns));
  }
  return rows;
}

}  // namespace npq::peptides
