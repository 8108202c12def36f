#include "npq/report/result_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/files/json_file.h"
#include "npq/report/groups.h"

namespace npq::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::uint64_t kLargestResult = 10'000'000;
constexpr int kMostPoints = 150;  // of a curve: more is not seen in a chart
constexpr const char* kFormat = "npq-result-1";

/// Six digits are more than a picture shows.
double rounded(double number) {
  return std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr);
}

ordered_json rounded(const std::vector<double>& numbers) {
  auto list = ordered_json::array();
  for (const double one : numbers) list.push_back(rounded(one));
  return list;
}

ordered_json curve_json(const std::vector<Point>& curve) {
  const std::vector<Point>* one[] = {&curve};
  auto points = ordered_json::array();
  for (const auto& point : band_of(one, kMostPoints))
    points.push_back({rounded(point.step), rounded(point.seconds), rounded(point.mean)});
  return points;
}

std::vector<Point> curve_of(const json& curves, const std::string& name) {
  std::vector<Point> curve;
  const auto found = curves.find(name);
  if (found == curves.end() || !found->is_array()) return curve;
  for (const auto& point : *found) {
    if (!point.is_array() || point.size() != 3) continue;
    const json named = {{"step", point[0]}, {"seconds", point[1]}, {"value", point[2]}};
    const auto step = number_at(named, "step"), seconds = number_at(named, "seconds"),
               value = number_at(named, "value");
    if (!step || !seconds || !value || *step < 0 || *step > 1e15) continue;
    curve.push_back({static_cast<std::int64_t>(*step), *seconds, *value});
  }
  return curve;
}

ordered_json test_json(const TestScore& test) {
  ordered_json score = {{"value", test.score}};
  if (test.low && test.high) {
    score["low"] = *test.low;
    score["high"] = *test.high;
  }
  ordered_json result = {{"checkpoint", test.checkpoint},
                         {"size", test.size},
                         {"samples", test.samples},
                         {"score", score},
                         {"sample_scores", rounded(test.sample_scores)}};
  for (const auto& [name, scores] : test.ablated)
    result["ablations"][name] = {{"sample_scores", rounded(scores)}};
  return result;
}

const json& object_at(const json& result, const char* key) {
  static const json none = json::object();
  const auto found = result.find(key);
  return found != result.end() && found->is_object() ? *found : none;
}

}  // namespace

std::string result_text(const Run& run) {
  if (run.key.empty())
    throw Error("'{}' belongs to no experiment; start it with npq experiment run",
                run.folder.string());
  if (!run.finished || run.tests.empty() || !run.best)
    throw Error("'{}' is not finished; go on with npq experiment run", run.folder.string());
  ordered_json result = {{"format", kFormat},
                         {"key", run.key},
                         {"flags", run.flags},
                         {"steps", run.steps_done},
                         {"seed", run.seed.value_or(0)},
                         {"best_step", run.best->step},
                         {"best_val", run.best->value},
                         {"seconds", rounded(run.seconds)},
                         {"parameters", run.parameters.value_or(0)},
                         {"peak_bytes", run.peak_bytes.value_or(0)},
                         {"config", run.options},
                         {"about", run.about},
                         {"tests", ordered_json::array()}};
  if (!run.kind().counts_steps()) {
    result["epochs"] = run.epochs;
    result["data"] = run.data;
  }
  if (!run.why.empty()) result["why"] = run.why;
  for (const auto& test : run.tests) result["tests"].push_back(test_json(test));
  auto& curves = result["curves"] = {{"loss", curve_json(run.loss)},
                                     {"validation", curve_json(run.validation)}};
  for (const auto& [name, curve] : run.health) curves["memory/" + name] = curve_json(curve);
  // A line for every key: differences between two results can be read.
  std::string text = "{\n";
  for (auto item = result.begin(); item != result.end(); ++item)
    text += fmt::format("{}: {}{}\n", json(item.key()).dump(),
                        item->dump(-1, ' ', false, json::error_handler_t::replace),
                        std::next(item) == result.end() ? "" : ",");
  return text + "}\n";
}

bool is_result_file(const std::filesystem::path& path) {
  const auto name = path.filename().string();
  return name.starts_with("seed") && name.ends_with(".json");
}

Run read_result_file(const std::filesystem::path& path) {
  const auto result = read_object(path, kLargestResult);
  if (text_at(result, "format") != kFormat)
    throw Error("'{}' is not a result that this version reads: its format is not {}", path.string(),
                kFormat);
  Run run;
  run.folder = path;
  run.key = text_at(result, "key");
  run.flags = option_texts(object_at(result, "flags"));
  run.why = text_at(result, "why");
  run.options = option_texts(object_at(result, "config"));
  run.about = option_texts(object_at(result, "about"));
  const auto option = [&](const char* name) {
    const auto found = run.options.find(name);
    if (found == run.options.end() || found->second.empty())
      throw Error("'{}' does not name its {}", path.string(), name);
    return found->second;
  };
  run.algorithm = option("algorithm");
  run.processor = option("processor");
  run.memory = option("memory");
  run.seed = count_at(result, "seed");
  run.steps_asked = run.steps_done = count_at(result, "steps").value_or(0);
  run.epochs = count_at(result, "epochs").value_or(0);
  run.data = text_at(result, "data");
  run.finished = true;
  run.seconds = number_at(result, "seconds").value_or(0);
  const auto positive = [&](const char* key) {
    const auto count = count_at(result, key);
    return count && *count > 0 ? count : std::nullopt;
  };
  run.parameters = positive("parameters");
  run.peak_bytes = positive("peak_bytes");
  if (const auto best = number_at(result, "best_val"))
    run.best = Point{.step = count_at(result, "best_step").value_or(0), .value = *best};
  if (const auto tests = result.find("tests"); tests != result.end() && tests->is_array())
    run.tests = test_scores(*tests, run.metric());
  const auto& curves = object_at(result, "curves");
  run.loss = curve_of(curves, "loss");
  run.validation = curve_of(curves, "validation");
  for (const auto& [name, unused] : curves.items())
    if (name.starts_with("memory/")) run.health[name.substr(7)] = curve_of(curves, name);
  return run;
}

}  // namespace npq::report
