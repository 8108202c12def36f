#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npq/base/options/option_table.h"
#include "npq/memory/catalog.h"
#include "npq/memory/options.h"

// The choices of a memory as texts: flags of the command line, lines of a saved configuration.
// Free of torch.
namespace npq::memory {

/// Every flag of every memory, in the order of the help page.
const OptionTable<MemoryOptions>& flags();

/// Whether an option of a run is one of them.
bool is_flag(std::string_view name);

/// Sets one choice. A flag that the memory has no use for, an unknown choice and a number
/// out of range are UsageErrors.
void set_flag(MemoryOptions& options, std::string_view flag, std::string_view value);

/// The rows of a struct of options that has a memory: its name, the preset it is made from, and its
/// flags. `memory` and `preset` name the members; `make` gives a memory by name and preset.
template <class Options, class Memory, class PresetName, class Make>
std::vector<Option<Options>> memory_rows(Memory memory, PresetName preset, Make make) {
  const auto remake = [=](Options& options, std::string_view name, std::string_view chosen) {
    memory(options) = make(name, preset_named(chosen));
    preset(options) = chosen;
  };
  auto name = Option<Options>().one_of(memory_names());
  name.name = "memory";
  name.help = "none, npq_m, npq_w, npq_w_p_sv, ..., stack, ntm, ... (npq list memories)";
  name.value = "NAME";
  name.text = [=](const Options& options) { return memory(options).name; };
  name.read = [=](Options& options, std::string_view text) {
    remake(options, text, std::string(preset(options)));
  };
  Option<Options> origin;
  origin.name = "preset";
  origin.help = "the memory as in the paper, or as the authors' code computes";
  origin.value = "paper|reference";
  origin.choices = {"paper", "reference"};
  origin.added_later = true;
  origin.text = [=](const Options& options) { return preset(options); };
  origin.read = [=](Options& options, std::string_view text) {
    remake(options, std::string(memory(options).name), text);
  };
  std::vector<Option<Options>> rows = {std::move(name), std::move(origin)};
  for (auto& row : options_of_member<Options>(flags(), memory)) rows.push_back(std::move(row));
  return rows;
}

/// All flags that options.name has, with their values; set_flag() takes them back.
std::vector<std::pair<std::string, std::string>> flag_values(const MemoryOptions& options);

}  // namespace npq::memory
