#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

// Errors of a command line in our own sentences, which say more than CLI11's.
namespace npq::app {

/// The command named by the first words, and its full name: "npq data list".
struct Called {
  const CLI::App* command = nullptr;
  std::string name = "npq";
};
Called called_command(const CLI::App& app, const std::vector<std::string>& args);

/// "--out=" as "--out" and an empty word: CLI11 would take the next word for the value.
std::vector<std::string> with_empty_values(const CLI::App& app,
                                           const std::vector<std::string>& args);

/// UsageErrors for commands and options that do not exist, with the nearest that does, and for
/// options that stand where a value belongs.
void check_words(const CLI::App& app, const std::vector<std::string>& args);

/// UsageErrors for values that CLI11 would change silently: a number out of range becomes the
/// nearest in range, a seed below 0 a large one, an empty path no path at all.
void check_values(const CLI::App& command);

/// CLI11's error as a sentence with the command's own words.
std::string usage_sentence(const CLI::ParseError& error, const Called& called);

}  // namespace npq::app
