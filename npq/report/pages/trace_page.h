#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace npq::report {

/// The microscope: one sample of one model, step by step, as one self-contained HTML page.
/// `trace` is what train::look_closely writes, with `title` and `about` (a list of texts).
std::string trace_page(const nlohmann::json& trace);

}  // namespace npq::report
