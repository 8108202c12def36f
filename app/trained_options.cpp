#include "app/trained_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "npq/base/error.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::app {

namespace {

using MakeMemory = std::function<memory::MemoryOptions(std::string_view, memory::Preset)>;

GivenOptions values_of(const memory::MemoryOptions& options) {
  const auto list = memory::flag_values(options);
  return {list.begin(), list.end()};
}

/// The defaults that a file has for its memory, if --memory on the command line names another one:
/// they were not chosen by the user.
GivenOptions replaced_defaults(const std::string& chosen, const ConfigFile& file,
                               const MakeMemory& make) {
  const auto memory = file.values.find("memory"), preset = file.values.find("preset");
  if (!file.typed.contains("memory") || memory == file.values.end() || memory->second == chosen)
    return {};
  return values_of(
      make(memory->second,
           memory::preset_named(preset == file.values.end() ? "paper" : preset->second)));
}

/// Flags that a preset decides, if --preset is on the command line.
std::set<std::string> decided_by_preset(const std::string& memory, const ConfigFile& file,
                                        const MakeMemory& make) {
  const auto kind = memory::find_row(memory).kind;
  const bool published = kind == memory::Kind::PriorityQueue || kind == memory::Kind::Oracle;
  if (!file.typed.contains("preset") || !published) return {};
  const auto paper = values_of(make(memory, memory::Preset::Paper));
  std::set<std::string> names;
  for (const auto& [name, value] : values_of(make(memory, memory::Preset::Reference)))
    if (paper.at(name) != value) names.insert(name);
  return names;
}

/// The chosen memory. `make` returns a memory by its name and preset. If --memory or --preset is on
/// the command line, contradicting options of the file do not count; a note names them.
memory::MemoryOptions chosen_memory(const GivenOptions& given, const ConfigFile& file,
                                    const MakeMemory& make, std::vector<std::string>& notes) {
  const auto text = [&](const char* name, const char* otherwise) {
    const auto found = given.find(name);
    return found == given.end() ? std::string(otherwise) : found->second;
  };
  const auto memory = text("memory", "none"), preset = text("preset", "paper");
  auto options = make(memory, memory::preset_named(preset));
  const auto own = values_of(options);
  const auto replaced = replaced_defaults(memory, file, make);
  const auto by_preset = decided_by_preset(memory, file, make);
  std::vector<std::string> left_out;
  for (const auto& [name, value] : given) {
    if (!memory::is_flag(name)) continue;
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
    for (const auto& [name, value] : {std::pair("memory", memory), {"preset", preset}})
      if (file.typed.contains(name)) typed.push_back(fmt::format("--{} {}", name, value));
    notes.push_back(fmt::format("{} counts, so these options of '{}' are left out: {}",
                                fmt::join(typed, " "), file.path, fmt::join(left_out, ", ")));
  }
  return options;
}

/// Sizes of parts that the processor does not have would be ignored silently.
void check_processor_flags(const nn::ProcessorKind& kind, const GivenOptions& given,
                           const ConfigFile& file) {
  const auto check = [&](const char* name, bool fits, const char* processors) {
    if (fits || !given.contains(name) || file.decides(name)) return;
    throw UsageError("processor '{}' has no use for --{}; leave it out or choose {}", kind.name,
                     name, processors);
  };
  check("heads", kind.family != nn::ProcessorFamily::Pgn, "gat or gatv2");
  check("triplet-features", kind.triplets, "a triplet processor");
}

}  // namespace

train::TrainOptions options_of_train(const GivenOptions& given, const ConfigFile& file,
                                     std::vector<std::string>& notes) {
  auto options = chosen_options(train::train_option_table(), given);
  check_processor_flags(options.model.processor.kind(), given, file);
  options.memory = chosen_memory(given, file, memory::memory_options, notes);
  options.validate();
  return options;
}

lrgb::TrainOptions options_of_peptides_train(const GivenOptions& given, const ConfigFile& file,
                                             std::vector<std::string>& notes) {
  auto options = chosen_options(lrgb::train_option_table(), given);
  auto& model = options.model;
  model.memory = chosen_memory(given, file, lrgb::peptide_memory, notes);
  if (!given.contains("layer") && model.has_memory()) model.layer = lrgb::Layer::Full;
  options.validate();
  return options;
}

}  // namespace npq::app
