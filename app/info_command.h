#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "app/cli.h"

namespace npq::app {

/// `npq info`: prints the entries as a table or as JSON, and those of "warnings" as sentences.
void add_info(Cli& cli, std::function<nlohmann::json()> known);

}  // namespace npq::app
