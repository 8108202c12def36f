#include "app/info_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/table.h"
#include "app/terminal.h"

namespace npq::app {

void add_info(Cli& cli, std::function<int(const InfoCommand&)> action) {
  auto fields = std::make_shared<InfoCommand>();
  auto* command =
      cli.command(cli.root(), "info", "this program and this machine: version, SIMD level, BLAS",
                  {"npq info", "npq info --json"},
                  [fields, action = std::move(action)] { return action(*fields); });
  command->add_flag("--json", fields->json, "as JSON");
}

int print_info(const InfoCommand& command, const nlohmann::json& known) {
  if (command.json) {
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

}  // namespace npq::app
