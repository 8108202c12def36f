#include "npq/report/html_parts.h"

#include <fmt/format.h>

#include "npq/report/text.h"

namespace npq::report {

std::string html_table(const Table& table) {
  std::string text = "<div class=\"scroll\"><table class=\"cards\"><thead><tr>";
  for (const auto& column : table.columns)
    text +=
        fmt::format("<th{}>{}</th>", column.number ? " class=\"number\"" : "", html(column.name));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      // Short cells stay on one line; long ones may break anywhere.
      std::string style = table.columns[c].number ? "number"
                          : row[c].size() > 24    ? "wide"
                                                  : "short";
      if (table.columns[c].number && row[c].size() > 15) style += " wide";
      if (row[c].empty() || row[c] == "-") style += " empty";
      text += fmt::format("<td class=\"{}\" data-name=\"{}\">{}</td>", style,
                          html(table.columns[c].name), html(row[c]));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string html_list(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = fmt::format("<div class=\"note\">{}<ul>", html(title));
  for (const auto& item : items) text += fmt::format("<li>{}</li>", html(item));
  return text + "</ul></div>\n";
}

}  // namespace npq::report
