#include "app/info_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/engine_commands.h"
#include "app/table.h"
#include "app/terminal.h"

namespace npq::app {

namespace {

int print_info(bool as_json, const nlohmann::json& known) {
  if (as_json) {
    fmt::print("{}\n", known.dump(2));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"what", "here"}};
  for (const auto& [key, value] : known.items()) {
    if (key == "warnings") continue;
    rows.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  fmt::print("{}", table(rows));
  if (known.contains("warnings"))
    for (const auto& warning : known["warnings"])
      fmt::print("{} {}\n", paint("warning:", Colour::Yellow), warning.get<std::string>());
  return 0;
}

}  // namespace

void add_info(Cli& cli, std::function<nlohmann::json()> known) {
  const auto as_json = std::make_shared<bool>(false);
  auto* command =
      cli.command(cli.root(), "info", engine_help("info"), {"npq info", "npq info --json"},
                  [as_json, known = std::move(known)] { return print_info(*as_json, known()); });
  command->add_flag("--json", *as_json, "as JSON");
}

}  // namespace npq::app
