// npq trace: one sample of a trained model, step by step, as a page or as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/engine/engine.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/run_folder.h"
#include "npq/report/pages/trace_page.h"
#include "npq/train/checkpoints/stored_model.h"
#include "npq/train/measuring/microscope.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;

/// A folder that is not a run but contains runs, as those of experiments: the Error names three.
void check_no_folder_of_runs(const fs::path& folder) {
  constexpr int kDepth = 5;
  constexpr std::size_t kNamed = 3;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored) || fs::exists(RunPaths{folder}.config(), ignored)) return;
  std::vector<std::string> runs;
  fs::recursive_directory_iterator entry(folder, ignored), end;
  for (; entry != end; entry.increment(ignored)) {
    if (entry.depth() >= kDepth) entry.disable_recursion_pending();
    if (fs::is_regular_file(RunPaths{entry->path()}.config(), ignored))
      runs.push_back(entry->path().string());
  }
  if (runs.empty()) return;
  std::ranges::sort(runs);
  const bool more = runs.size() > kNamed;
  runs.resize(std::min(runs.size(), kNamed));
  throw Error("'{}' is not a run folder, but holds some; give one of: {}{}", folder.string(),
              fmt::join(runs, ", "), more ? ", ..." : "");
}

/// The state before a step is the state after the step before: the page needs it once.
void leave_out_what_is_there_twice(nlohmann::json& trace) {
  for (auto& step : trace["steps"])
    if (step.contains("memory")) step["memory"].erase("before");
}

/// The name of the run on a page: without its path on this machine, since pages are passed on.
std::string name_of(const fs::path& run) {
  const auto path = (run / "").lexically_normal().parent_path();
  return path.is_absolute() ? path.filename().string() : path.string();
}

}  // namespace

int run_trace(const TraceCommand& command) {
  use_threads(command.threads);
  const auto which = train::find_one(command.which);
  check_no_folder_of_runs(command.run);
  const auto model = train::find_models(command.run, which).front();
  const auto network = train::load_network(model);
  const auto& algorithm = network->task.algorithm();
  auto sampler = network->task.test_set(command.nodes);
  sampler.samples = 1;
  sampler.seed = command.seed;
  sampler.validate(algorithm);
  const auto data = clrs::generate(algorithm, sampler);

  auto trace = train::look_closely(*network, data.samples.front());
  const auto& options = model.options;
  trace["algorithm"] = algorithm.name;
  trace["processor"] = options.model.processor.name;
  trace["memory"] = options.memory.name;
  trace["run"] = command.run;
  trace["checkpoint"] = model.name;
  trace["update"] = model.step;
  trace["seed"] = command.seed;
  if (command.json) {
    fmt::print("{}\n", trace.dump());
    return 0;
  }
  trace["run"] = name_of(command.run);
  trace["title"] = fmt::format("{} under the microscope", algorithm.name);
  trace["about"] = {
      fmt::format("{}, memory {}: {} of {}, after update {}", options.model.processor.name,
                  options.memory.name, model.name, name_of(command.run), model.step),
      fmt::format("A test sample of {} nodes, seed {}; npq {}", trace["nodes"].get<int>(),
                  command.seed, NPQ_VERSION)};
  leave_out_what_is_there_twice(trace);
  if (const auto folder = fs::path(command.out).parent_path(); !folder.empty()) make_folder(folder);
  write_file(command.out, report::trace_page(trace));
  fmt::print("{}\n", command.out);
  return 0;
}

}  // namespace npq::app
