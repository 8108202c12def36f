#pragma once
#include <nlohmann/json_fwd.hpp>

#include "npq/clrs/trace/sample.h"
#include "npq/train/network.h"

namespace npq::train {

/// One sample under the microscope: what the network was given, and for each step what it and the
/// algorithm say, what its memory holds, who asks for what and who gets it. For the page of
/// `npq trace`, and for people's own plots (docs/trace.md has the keys).
nlohmann::json look_closely(const Network& network, const clrs::Sample& sample);

}  // namespace npq::train
