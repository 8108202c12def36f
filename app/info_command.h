#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "app/cli.h"

namespace npq::app {

struct InfoCommand {
  bool json = false;
};

/// Binds the flags of `npq info`; `action` does the work (in npq: by handing over to npq-engine, if
/// there is one).
void add_info(Cli& cli, std::function<int(const InfoCommand&)> action);

/// Prints what is known, as a table or as JSON; the entries of "warnings" also as sentences.
int print_info(const InfoCommand& command, const nlohmann::json& known);

}  // namespace npq::app
