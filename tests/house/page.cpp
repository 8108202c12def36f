#include "tests/house/page.h"

#include <sstream>

namespace npq::house {
namespace {

/// npq with arguments. Bare ./run installs and builds: tests/house/run_test.sh is its test.
bool is_command(const std::string& line) {
  if (!line.starts_with("./run ") && !line.starts_with("npq ")) return false;
  const auto argument = line.find_first_not_of(' ', line.find(' '));
  return argument != std::string::npos && line[argument] != '#';
}

bool agrees_from(const std::vector<std::string>& shown, std::size_t i,
                 const std::vector<std::string>& printed, std::size_t j) {
  if (i == shown.size()) return j == printed.size();
  if (shown[i] == "...") {
    for (std::size_t next = j; next <= printed.size(); ++next)
      if (agrees_from(shown, i + 1, printed, next)) return true;
    return false;
  }
  return j < printed.size() && shown[i] == printed[j] && agrees_from(shown, i + 1, printed, j + 1);
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

std::vector<Example> parse_page(std::string_view page) {
  std::vector<Example> examples;
  std::string block;    // the kind of block we are in, "" outside
  bool behind = false;  // the last thing but blank lines was a ```sh block
  bool continues = false;
  int number = 0;
  for (const auto& line : lines_of(page)) {
    ++number;
    if (line.starts_with("```")) {
      if (!block.empty()) {
        behind = block == "sh";
        block.clear();
        continue;
      }
      block = line.size() > 3 ? line.substr(3) : "plain";
      if (block == "sh") examples.push_back({{}, {}, number});
      if (block == "text" && !behind) block = "plain";
      continues = false;
    } else if (block == "sh") {
      auto& commands = examples.back().commands;
      if (continues) {
        commands.back() += "\n" + line;
      } else if (is_command(line)) {
        commands.push_back(line);
      } else {
        continue;
      }
      continues = line.ends_with("\\");
    } else if (block == "text") {
      examples.back().shown.push_back(line);
    } else if (block.empty() && !line.empty()) {
      behind = false;
    }
  }
  return examples;
}

bool agrees(const std::vector<std::string>& shown, const std::vector<std::string>& printed) {
  return agrees_from(shown, 0, printed, 0);
}

}  // namespace npq::house
