#pragma once
#include <string>
#include <string_view>

// The style sheets, scripts and tables of this folder, embedded in the program.
namespace npq::report {

/// The style of a chart; it comes before any other style.
std::string_view bar_style();
/// The style and the script of every page.
std::string_view page_style();
std::string_view page_script();
/// The additional parts of the trace page.
std::string_view trace_style();
std::string trace_script();
/// The paper's numbers, as JSON.
std::string_view paper_json();

}  // namespace npq::report
