#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace npq::report {

/// The microscope: one sample of one model, step by step, as one HTML page that needs nothing else.
/// `trace` is what train::look_closely writes, with `title` and `about` (a list of texts) beside.
std::string trace_page(const nlohmann::json& trace);

}  // namespace npq::report
