#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/cli.h"

// The commands that need libtorch. npq lists them and hands them to npq-engine, which knows their
// options: loading libtorch takes half a second, so npq does not link it.
namespace npq::app {

/// What a command does, by its words ("bench train"): for npq's list and the engine's --help.
std::string engine_help(std::string_view words);

/// Whether these arguments call such a command: "train ...", "help bench train".
bool calls_engine(std::vector<std::string_view> args);

/// Names all of them under npq --help.
void list_engine_commands(Cli& cli);

}  // namespace npq::app
