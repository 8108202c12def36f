#pragma once
#include <string>
#include <string_view>
#include <vector>

// Pages show commands in ```sh blocks; a ```text block right behind one shows what it prints.
namespace npq::house {

struct Example {
  std::vector<std::string> commands;  // lines that start with ./run or npq, and their continuations
  std::vector<std::string> shown;     // what the page says they print; empty if it says nothing
  int line;                           // of the page, for messages
};

std::vector<Example> parse_page(std::string_view page);

/// Whether `printed` is what `shown` says, line by line; a shown line "..." stands for any lines.
bool agrees(const std::vector<std::string>& shown, const std::vector<std::string>& printed);

std::vector<std::string> lines_of(std::string_view text);

}  // namespace npq::house
