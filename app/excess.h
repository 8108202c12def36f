#pragma once
#include <string>

namespace CLI {
class App;
}

// What happens when a command is asked for more than this machine has.
namespace npq::app {

/// Adds --force to every command below `app` that may need it and has none.
void offer_force(CLI::App& app);
/// Takes --force and --threads of the command that was called; an absurd number is a UsageError.
void check_force_and_threads(const CLI::App& command);

/// "out of memory", with the free memory and the command's options that would need less.
std::string out_of_memory(const CLI::App* command);
/// The first line of a library's error, without libtorch's stack trace; out_of_memory() if its
/// allocator failed.
std::string error_words(const std::string& what, const CLI::App* command);

}  // namespace npq::app
