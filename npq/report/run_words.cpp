// The name of a run, and the commands that repeat it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "npq/base/shell.h"
#include "npq/report/groups.h"
#include "npq/report/run.h"

namespace npq::report {

std::map<std::string, std::string> Run::choices() const {
  auto all = options;
  all.erase("preset");
  if (const auto average = all.find("average");
      average != all.end() && average->second == fmt::format("{}", kAverageDecay))
    all.erase(average);
  return all;
}

std::string Run::method() const {
  const auto last = key.rfind('/');
  if (last == std::string::npos || last == 0) return paper_name(memory);
  const auto before = key.rfind('/', last - 1);
  return before == std::string::npos ? paper_name(memory)
                                     : key.substr(before + 1, last - before - 1);
}

std::string Run::command() const {
  const auto program = fmt::format("npq {}", kind().command);
  auto first = options;  // as the run began
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    for (const auto& [key, value] : change->before) first[key] = value;
  std::vector<std::string> words = {program};
  for (const auto& [key, value] : first) {
    if (algorithm == kPeptides && (key == "algorithm" || key == "data-checksum"))
      continue;  // no flags
    if (key == "init-checksum") continue;
    // The only option whose flag says the opposite.
    if (key == "layer-norm") {
      if (value == "false") words.emplace_back("--no-layer-norm");
      continue;
    }
    if (value.empty() || value == "false") continue;
    words.push_back(shell_quoted(fmt::format("--{}", key)));
    if (value != "true") words.push_back(shell_quoted(value));
  }
  auto text = fmt::format("{}", fmt::join(words, " "));
  for (const auto& change : changes) {
    text += fmt::format("\n# from step {} on: {} --resume {}", change.step, program,
                        shell_quoted(folder.string()));
    for (const auto& [key, value] : change.now)
      text += fmt::format(" {} {}", shell_quoted("--" + key), shell_quoted(value));
  }
  return text;
}

std::string Run::test_command() const {
  std::set<std::int64_t> sizes;
  std::int64_t samples = 0;
  for (const auto& one : tests) {
    if (one.size == kOwnTestSet) continue;  // measured while it trains
    sizes.insert(one.size);
    samples = one.samples;
  }
  if (sizes.empty()) return "";
  return fmt::format("npq evaluate {} --sizes {}{}", shell_quoted(folder.string()),
                     fmt::join(sizes, ","),
                     samples > 0 ? fmt::format(" --samples {}", samples) : "");
}

}  // namespace npq::report
