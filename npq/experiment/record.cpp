#include "npq/experiment/record.h"

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/json_file.h"
#include "npq/base/formats/json_value.h"

namespace npq::experiment {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestRecord = 1'000'000;

Tests tests_of(const json& evaluated) {
  Tests tests{.sizes = json_member<std::vector<int>>(evaluated, "sizes"),
              .samples = {},
              .ablate = json_member_or<std::vector<std::string>>(evaluated, "ablate", {})};
  const auto samples = evaluated.find("samples");
  if (samples == evaluated.end()) return tests;
  for (const int size : tests.sizes) {
    // One number for all sizes: as it was written before they could differ.
    const auto count = samples->is_object() ? count_at(*samples, std::to_string(size))
                                            : count_at(evaluated, "samples");
    if (count) tests.samples[size] = *count;
  }
  return tests;
}

json to_json(const Record::Evaluated& evaluated) {
  json object = {{"steps", evaluated.steps}, {"sizes", evaluated.tests.sizes}};
  for (const auto& [size, samples] : evaluated.tests.samples)
    object["samples"][std::to_string(size)] = samples;
  if (!evaluated.tests.ablate.empty()) object["ablate"] = evaluated.tests.ablate;
  return object;
}

Record record_of(const json& object) {
  Record record{.key = json_member<std::string>(object, "key"),
                .flags = json_member<Flags>(object, "flags"),
                .why = text_at(object, "why"),
                .evaluated = std::nullopt,
                .peak_bytes = count_at(object, "peak_bytes").value_or(0),
                .crashes = static_cast<int>(count_at(object, "crashes").value_or(0)),
                .failure = text_at(object, "failure"),
                .failed_at = number_at(object, "failed_at").value_or(0)};
  if (const auto found = object.find("evaluated"); found != object.end() && found->is_object()) {
    record.evaluated = Record::Evaluated{.steps = json_member<std::int64_t>(*found, "steps"),
                                         .tests = tests_of(*found)};
  }
  return record;
}

}  // namespace

fs::path record_file(const fs::path& folder) { return folder / "experiment.json"; }

std::optional<Record> read_record(const fs::path& folder) {
  const auto path = record_file(folder);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  const auto object = read_object(path, kLargestRecord);
  try {
    return record_of(object);
  } catch (const Error& error) {
    throw Error("'{}' is not what npq experiment writes: {}", path.string(), error.what());
  }
}

void write_record(const fs::path& folder, const Record& record) {
  json object = {{"key", record.key}, {"flags", record.flags}};
  if (!record.why.empty()) object["why"] = record.why;
  if (record.evaluated) object["evaluated"] = to_json(*record.evaluated);
  if (record.peak_bytes > 0) object["peak_bytes"] = record.peak_bytes;
  if (record.crashes > 0) object["crashes"] = record.crashes;
  if (!record.failure.empty()) {
    object["failure"] = record.failure;
    object["failed_at"] = record.failed_at;
  }
  write_file(record_file(folder),
             object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

Record::Evaluated wanted_evaluation(const PlannedRun& run) {
  return {.steps = run.steps, .tests = run.tests};
}

}  // namespace npq::experiment
