// npq options: the tables of options, for readers and for other programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/lrgb/train_options.h"
#include "npq/train/options.h"

namespace npq::app {
namespace {

struct Row {
  OptionText option;
  std::string value;  // the default; empty if these options have no use for it
};

template <class Options>
std::vector<Row> rows_of(const OptionTable<Options>& table) {
  const Options defaults;
  std::vector<Row> rows;
  for (const auto& option : table)
    if (!option.hidden)
      rows.push_back({option, table.fits(option, defaults) ? option.text(defaults) : ""});
  return rows;
}

nlohmann::json described(const Row& row) {
  const auto& option = row.option;
  return {{"name", option.name},           {"help", option.help},
          {"kind", name_of(option.kind)},  {"choices", option.choices},
          {"range", option.range.words()}, {"default", row.value},
          {"group", option.group}};
}

std::string allowed(const OptionText& option) {
  constexpr std::size_t kMostShown = 6;  // npq list and --json name them all
  if (option.choices.size() > kMostShown) return fmt::format("{} names", option.choices.size());
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, ", "));
  const auto range = option.range.words();
  return std::string(name_of(option.kind)) + (range.empty() ? "" : ", " + range);
}

int print_options(const std::map<std::string, std::vector<Row>>& commands, bool json) {
  if (json) {
    auto all = nlohmann::json::object();
    for (const auto& [command, rows] : commands)
      for (const auto& row : rows) all[command].push_back(described(row));
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  for (const auto& [command, rows] : commands) {
    fmt::print("{}\n", paint("npq " + command, Colour::Bold));
    std::vector<std::vector<std::string>> lines = {{"option", "default", "values", "meaning"}};
    for (const auto& [option, value] : rows)
      lines.push_back({option.name, value, allowed(option), option.help});
    fmt::print("{}\n", table(lines));
  }
  return 0;
}

}  // namespace

void add_options(Cli& cli) {
  auto json = std::make_shared<bool>(false);
  auto* command =
      cli.command(cli.root(), "options", "every option of a run: name, default, values, meaning",
                  {"npq options", "npq options --json"}, [json] {
                    return print_options({{"train", rows_of(train::train_option_table())},
                                          {"peptides train", rows_of(lrgb::train_option_table())}},
                                         *json);
                  });
  command->add_flag("--json", *json, "for programs");
}

}  // namespace npq::app
