#include "app/table.h"

#include <unistd.h>

#include <algorithm>

#include "app/terminal.h"

namespace npq::app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kGap = 2;  // spaces between two columns

struct Column {
  std::size_t index, width;
};

/// As much of a word as fits, preferably up to a sign that ends a part of a name.
std::string beginning(const std::string& word, std::size_t width) {
  auto begin = shortened(word, width);
  const auto sign = begin.find_last_of("_/-,");
  if (sign != begin.npos) begin.resize(sign + 1);
  return begin;
}

/// A cell in lines that fit, broken at spaces, and inside words that are too long.
std::vector<std::string> wrapped(const std::string& cell, std::size_t width) {
  if (width_of(cell) <= width) return {cell};
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < cell.size();) {
    const auto end = std::min(cell.find(' ', begin), cell.size());
    auto word = cell.substr(begin, end - begin);
    begin = end + 1;
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) <= width) {
      lines.back() += " " + word;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    for (; width_of(word) > width; lines.emplace_back()) {
      lines.back() = beginning(word, width);
      word = word.substr(lines.back().size());
    }
    lines.back() = word;
  }
  return lines;
}

std::vector<Column> natural_columns(const Rows& rows) {
  std::vector<Column> columns;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == columns.size()) columns.push_back({c, 0});
      columns[c].width = std::max(columns[c].width, width_of(row[c]));
    }
  return columns;
}

/// The columns of each table: one where all fit.
std::vector<std::vector<Column>> divided(std::vector<Column> columns, std::size_t width) {
  std::size_t whole = 0;
  for (const auto& column : columns) whole += column.width + (column.index > 0 ? kGap : 0);
  if (width == 0 || whole <= width) return {columns};
  if (columns.size() == 1) return {{{0, width}}};
  const Column first{0, std::min(columns[0].width, width / 2)};
  const auto room = width - first.width - kGap;
  std::vector<std::vector<Column>> tables;
  std::size_t used = room;
  for (std::size_t c = 1; c < columns.size(); ++c) {
    columns[c].width = std::min(columns[c].width, room);
    if (used + kGap + columns[c].width > room) {
      tables.push_back({first});
      used = 0;
    }
    used += columns[c].width + (used > 0 ? kGap : 0);
    tables.back().push_back(columns[c]);
  }
  return tables;
}

std::string row_text(const std::vector<std::string>& row, const std::vector<Column>& columns,
                     const std::vector<int>& right, Colour colour) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (const auto& column : columns) {
    cells.push_back(wrapped(column.index < row.size() ? row[column.index] : "", column.width));
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string cell = l < cells[c].size() ? cells[c][l] : "";
      const std::string padding(columns[c].width - width_of(cell), ' ');
      const bool align_right = std::ranges::count(right, static_cast<int>(columns[c].index)) > 0;
      const auto painted = cell.empty() ? cell : paint(cell, colour);
      line += align_right ? padding + painted : painted + padding;
      if (c + 1 < columns.size()) line += std::string(kGap, ' ');
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string table(const Rows& rows, const std::vector<int>& right) {
  std::string text;
  for (const auto& columns : divided(natural_columns(rows), screen_width(STDOUT_FILENO))) {
    if (!text.empty()) text += "\n";
    for (std::size_t r = 0; r < rows.size(); ++r)
      text += row_text(rows[r], columns, right, r == 0 ? Colour::Bold : Colour::Plain);
  }
  return text;
}

}  // namespace npq::app
