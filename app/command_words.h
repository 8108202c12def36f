#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

// What is wrong with the words of a command line, in our own sentences: CLI11's say less.
namespace npq::app {

/// The command that the first words name, and how it is called: "npq data list".
struct Called {
  const CLI::App* command = nullptr;
  std::string name = "npq";
};
Called called_command(const CLI::App& app, const std::vector<std::string>& args);

/// UsageErrors for commands and options that do not exist, with the nearest that does.
void check_words(const CLI::App& app, const std::vector<std::string>& args);

/// UsageErrors for values that CLI11 would bend: a number that no variable holds becomes the
/// nearest that one does, a seed below 0 a large one, an empty path none at all.
void check_values(const CLI::App& command);

/// What CLI11 found wrong, in a sentence with the command's own words.
std::string usage_sentence(const CLI::ParseError& error, const Called& called);

}  // namespace npq::app
