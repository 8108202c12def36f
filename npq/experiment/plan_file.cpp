#include "npq/experiment/plan_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/json_file.h"
#include "npq/base/formats/json_value.h"
#include "npq/base/printable.h"

namespace npq::experiment {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kFormat = "npq-plan-1";
constexpr std::uint64_t kLargestFile = 1'000'000;

template <class Value>
Value value_at(const json& object, const char* key) {
  return json_member_or<Value>(object, key, {});
}

std::optional<std::int64_t> number_asked(const json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  return json_member<std::int64_t>(object, key);
}

PlanOptions options_of(const json& object) {
  return {.only = value_at<std::string>(object, "only"),
          .seeds = value_at<std::vector<std::uint64_t>>(object, "seeds"),
          .steps = number_asked(object, "steps"),
          .sizes = value_at<std::vector<int>>(object, "sizes"),
          .samples = number_asked(object, "samples"),
          .flags = value_at<Flags>(object, "set")};
}

}  // namespace

fs::path plan_file(const fs::path& out) { return out / "plan.json"; }

void write_plan_options(const fs::path& out, const std::string& experiment,
                        const PlanOptions& options) {
  json object = {{"format", kFormat}, {"experiment", experiment}};
  if (!options.only.empty()) object["only"] = options.only;
  if (!options.seeds.empty()) object["seeds"] = options.seeds;
  if (options.steps) object["steps"] = *options.steps;
  if (!options.sizes.empty()) object["sizes"] = options.sizes;
  if (options.samples) object["samples"] = *options.samples;
  if (!options.flags.empty()) object["set"] = options.flags;
  write_file(plan_file(out), object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

std::optional<PlanOptions> read_plan_options(const fs::path& out, const std::string& experiment) {
  const auto path = plan_file(out);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  const auto object = read_object(path, kLargestFile);
  if (text_at(object, "format") != kFormat)
    throw Error("'{}' is not what npq experiment run writes", path.string());
  if (const auto name = text_at(object, "experiment"); name != experiment)
    throw Error("'{}' is of the experiment {}", path.string(), printable(name));
  try {
    return options_of(object);
  } catch (const Error& error) {
    throw Error("'{}' is not what npq experiment run writes: {}", path.string(), error.what());
  }
}

std::vector<std::string> words_of(const PlanOptions& options) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(flag);
    words.push_back(value);
  };
  std::vector<std::string> set;
  for (const auto& [name, value] : options.flags) set.push_back(fmt::format("{}={}", name, value));
  add("--only", options.only);
  add("--seeds", fmt::format("{}", fmt::join(options.seeds, ",")));
  add("--sizes", fmt::format("{}", fmt::join(options.sizes, ",")));
  add("--set", fmt::format("{}", fmt::join(set, ",")));
  add("--steps", options.steps ? std::to_string(*options.steps) : "");
  add("--samples", options.samples ? std::to_string(*options.samples) : "");
  return words;
}

}  // namespace npq::experiment
