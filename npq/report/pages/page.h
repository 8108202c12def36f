#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "npq/report/charts/chart.h"
#include "npq/report/groups.h"
#include "npq/report/tables/tables.h"

namespace npq::report {

struct PageOptions {
  std::string title = "Neural priority queues: runs";
  std::string made_by;  // program and version
  std::string command;  // the command line that makes this page
};

/// The whole report as one self-contained HTML page: no network, no other file. The same
/// runs give the same bytes.
std::string html_page(const RunSet& set, const PageOptions& options);
/// The tables and what is missing in them, as Markdown.
std::string markdown_page(const RunSet& set, const PageOptions& options);

/// The parts of every page: the beginning up to its title, tables, legends, lists, and the end with
/// the command that makes the page.
std::string html_begin(std::string_view title);
std::string html_table(const Table& table);
std::string html_legend(const std::vector<Series>& series);
std::string html_legend(const std::vector<std::string>& labels);  // in the order of the colours
/// The sentences a page opens with.
std::string html_conclusion(const std::vector<std::string>& sentences);
/// A framed list under a title; nothing if the list is empty.
std::string html_list(std::string_view title, const std::vector<std::string>& items);
std::string html_end(std::string_view command);

}  // namespace npq::report
