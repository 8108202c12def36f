#include "npq/report/run_set.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "npq/base/error.h"
#include "npq/report/result_file.h"

namespace npq::report {
namespace {

namespace fs = std::filesystem;

bool holds_a_run(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "config.json", ignored) ||
         fs::exists(folder / "metrics.jsonl", ignored);
}

/// Run folders and result files: `folder` itself and all below it, in the order of their names.
std::vector<fs::path> places_of_runs(const fs::path& folder, std::vector<std::string>& problems) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    problems.push_back(fmt::format("there is no folder '{}'; check the path", folder.string()));
    return {};
  }
  std::vector<fs::path> found;
  if (holds_a_run(folder)) found.push_back(folder);
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_symlink(ignored)) continue;
    const bool is_run =
        entry->is_directory(ignored) ? holds_a_run(entry->path()) : is_result_file(entry->path());
    if (is_run) found.push_back(entry->path());
  }
  if (error)
    problems.push_back(
        fmt::format("cannot look through all of '{}': {}", folder.string(), error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

auto order_of(const Run& run) {
  return std::tuple(run.algorithm, run.processor, run.memory != "none", run.memory,
                    run.seed.value_or(0), run.folder);
}

}  // namespace

RunSet read_runs(std::span<const fs::path> folders) {
  RunSet set;
  std::set<fs::path> seen;
  for (const auto& folder : folders) {
    for (const auto& path : places_of_runs(folder, set.problems)) {
      std::error_code ignored;
      if (!seen.insert(fs::weakly_canonical(path, ignored)).second) continue;
      try {
        const bool is_file = is_result_file(path) && fs::is_regular_file(path, ignored);
        set.runs.push_back(is_file ? read_result_file(path) : read_run(path));
      } catch (const Error& error) {
        set.problems.emplace_back(error.what());
      }
    }
  }
  if (set.runs.empty()) {
    if (!set.problems.empty())
      throw Error("there is no run to report on: {}", set.problems.front());
    throw Error(
        "there is no run in '{}': no folder there has a config.json; make one with npq train "
        "--out {}/first",
        folders.front().string(), folders.front().string());
  }
  std::sort(set.runs.begin(), set.runs.end(),
            [](const Run& a, const Run& b) { return order_of(a) < order_of(b); });
  // A run and the result made of it are one.
  std::set<std::pair<std::string, std::map<std::string, std::string>>> kept;
  std::erase_if(set.runs, [&](const Run& run) {
    return run.finished && !run.key.empty() && !kept.insert({run.key, run.options}).second;
  });
  for (const auto& run : set.runs)
    set.problems.insert(set.problems.end(), run.warnings.begin(), run.warnings.end());
  return set;
}

}  // namespace npq::report
