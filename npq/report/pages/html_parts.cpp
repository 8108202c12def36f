#include <fmt/format.h>

#include "npq/report/charts/chart.h"
#include "npq/report/pages/embedded.h"
#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"

namespace npq::report {

std::string html_begin(std::string_view title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
      html(title), bar_style(), page_style());
}

namespace {

/// A number breaks before its spread and its interval, and nowhere else.
std::string unbroken(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto rest = text.substr(i + 1);
    const bool breaks = rest.starts_with("±") || rest.starts_with("[") || rest.starts_with("(");
    result += text[i] == ' ' && !breaks ? "\u00a0" : std::string(1, text[i]);
  }
  return result;
}

std::string cell_style(const Column& column, std::string_view cell) {
  // Short texts stay on one line; long ones may break anywhere.
  std::string style = column.number ? "number" : cell.size() > 24 ? "wide" : "short";
  if (column.verdict && cell.starts_with("holds")) style += " good";
  if (column.verdict && cell.starts_with("FAILS")) style += " bad";
  if (cell.empty() || cell == "-") style += " empty";
  return style;
}

}  // namespace

std::string html_table(const Table& table) {
  constexpr std::size_t kMany = 10;  // columns that need small letters
  std::string text =
      fmt::format("<div class=\"scroll\" tabindex=\"0\"><table class=\"cards{}\"><thead><tr>",
                  table.columns.size() > kMany ? " dense" : "");
  for (const auto& column : table.columns)
    text +=
        fmt::format("<th{}>{}</th>", column.number ? " class=\"number\"" : "", html(column.name));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto& column = table.columns[c];
      text += fmt::format("<td class=\"{}\" data-name=\"{}\">{}</td>", cell_style(column, row[c]),
                          html(column.name), html(column.number ? unbroken(row[c]) : row[c]));
    }
    text += "</tr>\n";
  }
  return text +
         "</tbody></table></div>\n<p class=\"cue\">The table goes on to the right: scroll "
         "it.</p>\n";
}

std::string html_legend(const std::vector<Series>& series) {
  std::string text = "<ul class=\"legend\">";
  for (const auto& one : series)
    text += fmt::format("<li>{}{}</li>", legend_mark(one.colour), html(one.label));
  return text + "</ul>\n";
}

std::string html_legend(const std::vector<std::string>& labels) {
  std::vector<Series> series;
  series.reserve(labels.size());
  for (const auto& label : labels) series.push_back({label, static_cast<int>(series.size()), {}});
  return html_legend(series);
}

std::string html_end(std::string_view command) {
  return fmt::format(
      "<p>This page: <code>{}</code></p>\n</main>\n<script>{}</script>\n</body>\n</html>\n",
      html(command), page_script());
}

std::string html_conclusion(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += (text.empty() ? "" : " ") + html(sentence);
  return fmt::format("<p class=\"conclusion\">{}</p>\n", text);
}

std::string html_list(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = fmt::format("<div class=\"note\">{}<ul>", html(title));
  for (const auto& item : items) text += fmt::format("<li>{}</li>", html(item));
  return text + "</ul></div>\n";
}

}  // namespace npq::report
