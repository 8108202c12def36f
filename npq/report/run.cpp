#include "npq/report/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/line_log.h"
#include "npq/base/files/mapped_file.h"
#include "npq/base/files/run_files.h"
#include "npq/base/formats/safetensors.h"
#include "npq/base/utf8.h"
#include "npq/report/run_tests.h"

namespace npq::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestConfig = 1'000'000;
constexpr std::uint64_t kLargestPage = 20'000'000;
constexpr std::uint64_t kLargestLog = 1'000'000'000;

/// A value of config.json as a flag takes it; nothing for objects, which are not options.
std::optional<std::string> option_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> items;
  for (const auto& item : value) {
    if (!item.is_number() && !item.is_string()) return std::nullopt;
    items.push_back(*option_text(item));
  }
  return fmt::format("{}", fmt::join(items, ","));
}

/// A count must be a whole number; anything else is left out with a warning.
std::optional<std::int64_t> checked_count(Run& run, const fs::path& path, const json& object,
                                          const std::string& key) {
  const auto count = count_at(object, key);
  if (!count && object.contains(key))
    run.warnings.push_back(
        fmt::format("'{}': \"{}\" is not a whole number from 0; left out", path.string(), key));
  return count;
}

void read_changes(Run& run, const json& config) {
  const auto changes = config.find("changes");
  if (changes == config.end() || !changes->is_array()) return;
  for (const auto& change : *changes) {
    const auto step = change.is_object() ? count_at(change, "step") : std::nullopt;
    if (!step) continue;
    OptionChange read{.step = *step, .now = option_texts(change), .before = {}};
    read.now.erase("step");
    if (const auto before = change.find("before"); before != change.end() && before->is_object())
      read.before = option_texts(*before);
    run.changes.push_back(std::move(read));
  }
}

void take_config(Run& run, const RunPaths& paths) {
  const auto path = paths.config();
  const auto config = read_config(paths);
  run.options = option_texts(config);
  if (const auto about = config.find("about"); about != config.end() && about->is_object())
    run.about = option_texts(*about);
  read_changes(run, config);
  run.algorithm = text_at(config, "algorithm");
  run.processor = text_at(config, "processor");
  run.memory = text_at(config, "memory");
  run.seed = checked_count(run, path, config, "seed");
  run.steps_asked = checked_count(run, path, config, "steps").value_or(0);
  for (const auto* key : {"algorithm", "processor", "memory"})
    if (text_at(config, key).empty())
      throw Error("'{}' does not name its {}; expected a config.json as npq train writes it",
                  path.string(), key);
}

void read_line(Run& run, const json& line) {
  const auto step = count_at(line, "step");
  if (!step) return;
  Point point{.step = *step, .seconds = number_at(line, "seconds").value_or(run.seconds)};
  run.steps_done = std::max(run.steps_done, point.step + 1);
  run.seconds = std::max(run.seconds, point.seconds);
  const auto add = [&](std::vector<Point>& curve, std::optional<double> value) {
    if (!value) return;
    point.value = *value;
    curve.push_back(point);
  };
  add(run.loss, number_at(line, "loss"));
  add(run.validation, number_at(line, std::string(run.kind().validation)));
  run.epochs = std::max(run.epochs, count_at(line, "epoch").value_or(-1) + 1);
  const auto health = line.find("memory");
  if (health == line.end() || !health->is_object()) return;
  for (const auto& [name, value] : health->items())
    if (value.is_number()) add(run.health[name], number_at(*health, name));
}

void read_metrics(Run& run, const fs::path& path) {
  std::error_code error;
  if (const auto size = fs::file_size(path, error); !error && size > kLargestLog)
    throw Error("'{}' has {} bytes; expected at most {}", path.string(), size, kLargestLog);
  std::size_t number = 0, first_bad = 0, bad = 0;
  for (const auto& text : read_lines(path)) {
    ++number;
    const auto line = json_or_null(text);
    if (line.is_object()) {
      read_line(run, line);
    } else if (++bad == 1) {
      first_bad = number;
    }
  }
  if (bad > 0)
    run.warnings.push_back(
        fmt::format("'{}': {} of {} lines are not JSON objects, the first is line {}; left out",
                    path.string(), bad, number, first_bad));
  const auto by_step = [](const Point& a, const Point& b) { return a.step < b.step; };
  std::stable_sort(run.loss.begin(), run.loss.end(), by_step);
  std::stable_sort(run.validation.begin(), run.validation.end(), by_step);
  for (auto& [name, curve] : run.health) std::stable_sort(curve.begin(), curve.end(), by_step);
  for (const auto& point : run.validation)
    if (!run.best || run.metric().is_better(point.value, run.best->value)) run.best = point;
}

void take_result(Run& run, const fs::path& path) {
  const auto result = read_object(path, kLargestConfig);
  run.finished = true;
  run.steps_done = checked_count(run, path, result, "steps").value_or(run.steps_done);
  run.seconds = number_at(result, "seconds").value_or(run.seconds);
  run.epochs = count_at(result, "epochs").value_or(run.epochs);
  run.data = text_at(result, "data");
  const std::string test(run.kind().test);
  const auto add_test = [&](const char* model, std::optional<double> score) {
    if (score)
      run.tests.push_back(
          {.checkpoint = model, .size = kOwnTestSet, .score = *score, .low = {}, .high = {}});
  };
  add_test("best", number_at(result, test));
  add_test("average", number_at(result, "average_" + test));
  const auto best = number_at(result, std::string(run.kind().best));
  if (!best) return;
  if (!run.best) {
    run.best = Point{.step = count_at(result, "best_step").value_or(0), .value = *best};
  } else if (*best != run.best->value) {
    run.warnings.push_back(fmt::format(
        "'{}' says the best validation is {}, metrics.jsonl says {}; the latter is shown",
        path.string(), *best, run.best->value));
  }
}

/// What the workers of an experiment add to a run.
void read_experiment(Run& run, const fs::path& path) {
  const auto record = read_object(path, kLargestConfig);
  run.key = text_at(record, "key");
  run.why = text_at(record, "why");
  run.peak_bytes = count_at(record, "peak_bytes");
  if (const auto flags = record.find("flags"); flags != record.end() && flags->is_object())
    run.flags = option_texts(*flags);
}

void read_microscope(Run& run, const fs::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.size() > kLargestPage || !is_utf8(text))
    throw Error("'{}' is not a page of npq trace, or has more than {} MB; it is left out",
                path.string(), kLargestPage / 1'000'000);
  run.microscope = text;
}

void read_parameters(Run& run, const fs::path& path) {
  const auto file = SafetensorsFile::open(path);
  std::int64_t parameters = 0;
  for (const auto& tensor : file.tensors())
    if (!tensor.name.starts_with("statistics/"))  // of batch norm: not learned
      parameters +=
          static_cast<std::int64_t>((tensor.end - tensor.begin) / dtype_size(tensor.dtype));
  run.parameters = parameters;
}

}  // namespace

Run read_run(const fs::path& folder) {
  const auto paths = find_run(folder);
  Run run;
  run.folder = folder;
  take_config(run, paths);
  const auto optional = [&](const fs::path& path, auto read) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return;
    try {
      read(run, path);
    } catch (const Error& error) {
      run.warnings.emplace_back(error.what());
    }
  };
  optional(paths.metrics(), read_metrics);
  optional(paths.result(), take_result);
  optional(paths.evaluation(), read_evaluation);
  optional(folder / "experiment.json", read_experiment);
  optional(folder / "trace.html", read_microscope);
  optional(fs::exists(paths.last()) ? paths.last() : paths.best(), read_parameters);
  return run;
}

std::map<std::string, std::string> option_texts(const json& object) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, value] : object.items())
    if (const auto text = option_text(value)) texts[key] = *text;
  return texts;
}

std::optional<double> Run::test(std::int64_t size, const std::string& checkpoint) const {
  for (const auto& one : tests)
    if (one.size == size && one.checkpoint == checkpoint) return one.score;
  return std::nullopt;
}

}  // namespace npq::report
