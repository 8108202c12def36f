#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace npq::report {

/// The microscope: one sample of one model, step by step, as one HTML page that needs nothing else.
/// `trace` is what train::look_closely writes, with `title` and `about` (a list of texts) beside.
std::string trace_page(const nlohmann::json& trace);

/// The page's own style, beside that of reports, and its script.
std::string_view trace_style();
std::string trace_script();

/// Parts of the script: hints, answer and true queue; the graph; the memory.
std::string_view trace_values_script();
std::string_view trace_graph_script();
std::string_view trace_memory_script();

}  // namespace npq::report
