#include "app/shared_train_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "npq/base/error.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::app {

void bind_memory_flags(CLI::App* command, std::map<std::string, std::string>& given) {
  for (const auto& flag : memory::flags()) {
    std::string help(flag.help);
    if (!flag.choices.empty()) help += fmt::format(": {}", fmt::join(flag.choices, ", "));
    command
        ->add_option_function<std::string>(
            fmt::format("--{}", flag.name),
            [&given, name = std::string(flag.name)](const std::string& value) {
              given[name] = value;
            },
            help)
        ->type_name("X")
        ->group("Memory");
  }
}

void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed) {
  constexpr std::string_view kAlways[] = {"resume", "help", "print-config"};
  for (const auto* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const auto& name = option->get_lnames().front();
    if (std::find(std::begin(kAlways), std::end(kAlways), name) != std::end(kAlways) ||
        std::find(allowed.begin(), allowed.end(), name) != allowed.end())
      continue;
    throw UsageError(
        "--resume goes on with the run's own options; leave out --{} (only --{} may be given)",
        name, fmt::join(allowed, ", --"));
  }
}

namespace {

using FlagValues = std::map<std::string, std::string>;
using MakeMemory = std::function<memory::MemoryOptions(std::string_view, memory::Preset)>;

FlagValues values_of(const memory::MemoryOptions& options) {
  const auto list = memory::flag_values(options);
  return {list.begin(), list.end()};
}

/// What a file said about a memory, where --memory on the command line names another one: its
/// defaults are nothing that anybody chose.
FlagValues replaced_defaults(const MemoryFlags& flags, const ConfigFile& file,
                             const MakeMemory& make) {
  const auto memory = file.values.find("memory"), preset = file.values.find("preset");
  if (!file.typed.contains("memory") || memory == file.values.end() ||
      memory->second == flags.memory)
    return {};
  return values_of(
      make(memory->second,
           memory::preset_named(preset == file.values.end() ? "paper" : preset->second)));
}

/// Flags that a preset decides, where --preset stands on the command line.
std::set<std::string> decided_by_preset(const MemoryFlags& flags, const ConfigFile& file,
                                        const MakeMemory& make) {
  const auto kind = memory::find_row(flags.memory).kind;
  const bool published = kind == memory::Kind::PriorityQueue || kind == memory::Kind::Oracle;
  if (!file.typed.contains("preset") || !published) return {};
  const auto paper = values_of(make(flags.memory, memory::Preset::Paper));
  std::set<std::string> names;
  for (const auto& [name, value] : values_of(make(flags.memory, memory::Preset::Reference)))
    if (paper.at(name) != value) names.insert(name);
  return names;
}

}  // namespace

memory::MemoryOptions chosen_memory(const MemoryFlags& flags, const ConfigFile& file,
                                    const MakeMemory& make, std::vector<std::string>& notes) {
  auto options = make(flags.memory, memory::preset_named(flags.preset));
  const auto own = values_of(options);
  const auto replaced = replaced_defaults(flags, file, make);
  const auto by_preset = decided_by_preset(flags, file, make);
  std::vector<std::string> left_out;
  for (const auto& [name, value] : flags.given) {
    const auto found = replaced.find(name);
    const bool of_other_memory = found != replaced.end() && found->second == value;
    const bool useless = !replaced.empty() && !own.contains(name);
    if (!file.decides(name) || !(of_other_memory || useless || by_preset.contains(name))) {
      memory::set_flag(options, name, value);
    } else if (useless || own.at(name) != value) {
      left_out.push_back(fmt::format("{} {}", name, value));
    }
  }
  if (!left_out.empty()) {
    std::vector<std::string> typed;
    for (const auto& [name, value] : {std::pair("memory", flags.memory), {"preset", flags.preset}})
      if (file.typed.contains(name)) typed.push_back(fmt::format("--{} {}", name, value));
    notes.push_back(fmt::format("{} counts, so these options of '{}' are left out: {}",
                                fmt::join(typed, " "), file.path, fmt::join(left_out, ", ")));
  }
  return options;
}

}  // namespace npq::app
