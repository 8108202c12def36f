#include "app/excess.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "npq/base/resources.h"

namespace npq::app {
namespace {

/// Options that decide how much memory a command takes.
constexpr std::string_view kAmounts[] = {"hidden",      "batch",         "samples", "nodes",
                                         "sizes",       "count",         "slots",   "layers",
                                         "train-sizes", "validate-sizes"};

}  // namespace

void offer_force(CLI::App& app) {
  npq::offer_force();
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    offer_force(*command);
    const bool takes_much =
        command->get_option_no_throw("--threads") != nullptr ||
        std::ranges::any_of(kAmounts, [&](std::string_view name) {
          return command->get_option_no_throw("--" + std::string(name)) != nullptr;
        });
    if (!takes_much || command->get_option_no_throw("--force") != nullptr) continue;
    command->add_flag("--force")->description("go on where memory, disk or cores do not suffice");
  }
}

void check_force_and_threads(const CLI::App& command) {
  const auto* force = command.get_option_no_throw("--force");
  if (force != nullptr && force->count() > 0) go_on_regardless();
  const auto* threads = command.get_option_no_throw("--threads");
  const bool of_others = command.get_name() == "submit";  // cores of the machines of Slurm
  if (threads != nullptr && threads->count() > 0 && !of_others) check_threads(threads->as<int>());
}

std::string out_of_memory(const CLI::App* command) {
  std::string less;
  for (const auto name : kAmounts)
    if (command != nullptr && command->get_option_no_throw("--" + std::string(name)) != nullptr)
      less += (less.empty() ? "--" : ", --") + std::string(name);
  const auto free = free_memory();
  return fmt::format("out of memory{}; {}",
                     free ? fmt::format(" ({} are free)", bytes_text(*free)) : "",
                     less.empty() ? "close other programs or use a larger machine"
                                  : "ask for less with a smaller " + less);
}

std::string error_words(const std::string& what, const CLI::App* command) {
  if (what.find("can't allocate memory") != what.npos) return out_of_memory(command);
  return what.substr(0, what.find('\n'));
}

}  // namespace npq::app
