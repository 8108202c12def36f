#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "app/cli.h"

namespace npq::app {

/// `npq info`: prints what is known, as a table or as JSON; the entries of "warnings" also as
/// sentences.
void add_info(Cli& cli, std::function<nlohmann::json()> known);

}  // namespace npq::app
