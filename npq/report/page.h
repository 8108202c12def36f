#pragma once
#include <string>
#include <string_view>

#include "npq/report/groups.h"

namespace npq::report {

struct PageOptions {
  std::string title = "Neural priority queues: runs";
  std::string made_by;  // program and version
  std::string command;  // the command line that makes this page
};

/// The whole report as one HTML page that needs nothing else: no network, no other file. The same
/// runs give the same bytes.
std::string html_page(const RunSet& set, const PageOptions& options);
/// The tables and what they lack, as Markdown.
std::string markdown_page(const RunSet& set, const PageOptions& options);

/// The page's own style and script.
std::string_view page_style();
std::string_view page_script();

}  // namespace npq::report
