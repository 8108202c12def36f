#pragma once
#include <string>

namespace CLI {
class App;
}

// What happens when a command is asked for more than this machine has.
namespace npq::app {

/// Gives --force to every command below `app` that could be, unless it has one.
void offer_force(CLI::App& app);
/// Takes --force and --threads of the command that was called; an absurd number is a UsageError.
void check_force_and_threads(const CLI::App& command);

/// "out of memory", with what is free and the options of the command at hand that ask for less.
std::string out_of_memory(const CLI::App* command);
/// The first line of an error from below, without the stack that libtorch brings along; where its
/// allocator gave up, out_of_memory().
std::string error_words(const std::string& what, const CLI::App* command);

}  // namespace npq::app
