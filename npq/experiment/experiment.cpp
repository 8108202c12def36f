#include "npq/experiment/experiment.h"

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>

#include "npq/base/files/json_file.h"
#include "npq/base/formats/json_value.h"
#include "npq/base/names.h"
#include "npq/base/printable.h"

namespace npq::experiment {
namespace {

using nlohmann::json;

// What a plan decides for each run, and what only a person at a terminal may ask for.
constexpr std::string_view kReserved[] = {"algorithm", "processor", "seed",    "steps",
                                          "out",       "resume",    "threads", "quiet",
                                          "epochs",    "dry-run",   "config",  "print-config"};
constexpr std::size_t kMostRuns = 100'000;

void check_flag(const std::string& name) {
  const bool spelled =
      !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
  if (!spelled)
    throw UsageError("'{}' is not an option of npq train; expected a name such as \"memory\"",
                     printable(name));
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved))
    throw UsageError("the option '{}' belongs to the plan itself; leave it out of the flags", name);
}

/// Names become folders and words of a regular expression.
void check_name(const std::string& kind, const std::string& name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,= ";
  if (name.empty() || name.size() > 80 || name.front() == '.' || name.front() == '-' ||
      name.find_first_not_of(kPlain) != std::string::npos)
    throw Error(
        "the {} '{}' cannot be a folder's name; expected letters, digits, spaces and "
        "_-+.,=",
        kind, printable(name));
}

void check_keys(const json& object, std::initializer_list<std::string_view> known) {
  const std::vector<std::string_view> names(known);
  for (const auto& [key, unused] : object.items())
    if (std::find(names.begin(), names.end(), key) == names.end())
      throw unknown_name("key", printable(key), names);
}

const json& member(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Error("the key \"{}\" is missing", key);
  return *found;
}

const json& list_at(const json& object, const char* key) {
  const auto& list = member(object, key);
  if (!list.is_array() || list.empty())
    throw Error("\"{}\" is {}; expected a list with at least one entry", key,
                printable(list.dump()));
  return list;
}

std::vector<std::string> names_at(const json& object, const char* key) {
  std::vector<std::string> names;
  for (const auto& item : list_at(object, key)) {
    if (!item.is_string()) throw Error("\"{}\" holds {}; expected names", key, item.dump());
    names.push_back(item.get<std::string>());
    check_name(key, names.back());
  }
  return names;
}

std::int64_t length_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end())
    throw Error("the key \"{}\" is missing; expected a whole number from 1", key);
  const auto count = count_at(object, key);
  if (!count || *count < 1)
    throw Error("\"{}\" is {}; expected a whole number from 1", key, printable(found->dump()));
  return *count;
}

template <class Number>
std::vector<Number> counts_at(const json& object, const char* key, std::int64_t least,
                              std::int64_t most) {
  std::vector<Number> counts;
  for (const auto& item : list_at(object, key)) {
    const auto count = count_at(json{{"x", item}}, "x");
    if (!count || *count < least || *count > most)
      throw Error("\"{}\" holds {}; expected whole numbers from {} to {}", key,
                  printable(item.dump()), least, most);
    counts.push_back(static_cast<Number>(*count));
  }
  return counts;
}

Flags flags_at(const json& object, const char* key) {
  Flags flags;
  const auto found = object.find(key);
  if (found == object.end()) return flags;
  if (!found->is_object()) throw Error("\"{}\" is not an object of options", key);
  for (const auto& [name, value] : found->items()) {
    check_flag(name);
    if (value.is_string())
      flags[name] = value.get<std::string>();
    else if (value.is_number() || value == true)
      flags[name] = value.dump();
    else
      throw Error("the option '{}' is {}; expected a text, a number or true", name,
                  printable(value.dump()));
  }
  return flags;
}

Tests tests_at(const json& file) {
  Tests tests{.sizes = counts_at<int>(file, "sizes", 1, kLargestSize), .samples = {}, .ablate = {}};
  if (file.contains("ablate")) tests.ablate = names_at(file, "ablate");
  if (!file.contains("samples")) return tests;
  for (const auto& entry : json_member<std::map<std::string, std::int64_t>>(file, "samples")) {
    const auto& [size, samples] = entry;
    const auto found = std::find_if(tests.sizes.begin(), tests.sizes.end(),
                                    [&](int one) { return std::to_string(one) == entry.first; });
    if (found == tests.sizes.end() || samples < 1)
      throw Error("\"samples\" holds {}: {}; expected one of the \"sizes\" and a number from 1",
                  printable(size), samples);
    tests.samples[*found] = samples;
  }
  return tests;
}

Block block_of(const json& object, const Tests& tests) {
  if (!object.is_object()) throw Error("\"runs\" holds {}; expected objects", object.dump());
  check_keys(object, {"algorithms", "processors", "methods", "sizes", "samples", "ablate"});
  const bool own_tests =
      object.contains("sizes") || object.contains("samples") || object.contains("ablate");
  Block block{names_at(object, "algorithms"),
              names_at(object, "processors"),
              {},
              own_tests ? tests_at(object) : tests};
  for (const auto& method : list_at(object, "methods")) {
    if (!method.is_object()) throw Error("\"methods\" holds {}; expected objects", method.dump());
    check_keys(method, {"name", "flags", "why"});
    block.methods.push_back(
        {text_at(method, "name"), flags_at(method, "flags"), text_at(method, "why")});
    check_name("method", block.methods.back().name);
  }
  return block;
}

Experiment experiment_of(const std::string& name, const json& file) {
  check_name("experiment", name);
  check_keys(file, {"title", "about", "seeds", "steps", "epochs", "sizes", "samples", "ablate",
                    "flags", "runs"});
  const bool peptides = file.contains("epochs");
  for (const auto* key : {"steps", "sizes", "samples", "ablate"})
    if (peptides && file.contains(key))
      throw Error("\"epochs\" belong to peptides, which have no \"{}\"", key);
  Experiment experiment{
      .name = name,
      .title = text_at(file, "title"),
      .about = text_at(file, "about"),
      .seeds = counts_at<std::uint64_t>(file, "seeds", 0, std::numeric_limits<int>::max()),
      .steps = length_at(file, peptides ? "epochs" : "steps"),
      .tests = peptides ? Tests() : tests_at(file),
      .flags = flags_at(file, "flags"),
      .blocks = {}};
  if (experiment.title.empty()) throw Error("the key \"title\" is missing; expected one line");
  std::size_t runs = 0;
  for (const auto& object : list_at(file, "runs")) {
    experiment.blocks.push_back(block_of(object, experiment.tests));
    const auto& block = experiment.blocks.back();
    if (peptides && !block.tests.sizes.empty())
      throw Error("\"epochs\" belong to peptides, which have no \"sizes\"");
    for (const auto& algorithm : block.algorithms)
      if ((algorithm == kPeptides) != peptides)
        throw Error(
            "it mixes peptides, which have \"epochs\", with algorithms, which have \"steps\"");
    runs += block.algorithms.size() * block.processors.size() * block.methods.size() *
            experiment.seeds.size();
    if (runs > kMostRuns) throw Error("it asks for more than {} runs", kMostRuns);
  }
  return experiment;
}

}  // namespace

Experiment parse_experiment(const std::string& name, const std::string& text,
                            const std::string& source) {
  try {
    return experiment_of(name, parse_json_object(text, "it"));
  } catch (const Error& error) {
    throw Error("'{}' is not an experiment: {}; docs/experiments.md describes the format", source,
                error.what());
  }
}

Flags parse_flags(const std::string& text) {
  Flags flags;
  std::stringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    const auto equals = item.find('=');
    if (equals == std::string::npos || equals + 1 == item.size())
      throw UsageError("--set got '{}'; expected options such as hidden=32,preset=reference",
                       printable(text));
    check_flag(item.substr(0, equals));
    flags[item.substr(0, equals)] = item.substr(equals + 1);
  }
  return flags;
}

}  // namespace npq::experiment
