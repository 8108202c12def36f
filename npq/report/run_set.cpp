#include "npq/report/run_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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
  if (is_result_file(folder) && fs::is_regular_file(folder, error)) return {folder};
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

/// Whether two results agree, except for the digits that a committed result leaves out.
bool same_numbers(const Run& a, const Run& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) < 1e-5; };
  if (a.steps_done != b.steps_done || a.best.has_value() != b.best.has_value()) return false;
  if (a.best && !near(a.best->value, b.best->value)) return false;
  return std::all_of(a.tests.begin(), a.tests.end(), [&](const TestScore& test) {
    const auto other = b.test(test.size, test.checkpoint);
    return !other || near(test.score, *other);
  });
}

/// Runs of the same model with the same options and seed are one, as a run and the result made of
/// it: the one with most steps stays. If they disagree, the page says so.
void keep_one_of_each(RunSet& set) {
  const auto rank = [](const Run& run) {
    return std::tuple(run.finished, run.steps_done, run.tests.size());
  };
  std::map<std::pair<std::string, std::map<std::string, std::string>>, std::size_t> kept;
  std::vector<Run> runs;
  for (auto& run : set.runs) {
    const auto [at, is_new] = kept.try_emplace({run.method(), run.choices()}, runs.size());
    if (is_new || !run.seed) {
      runs.push_back(std::move(run));
      continue;
    }
    auto& first = runs[at->second];
    if (rank(run) > rank(first)) std::swap(run, first);
    if (!same_numbers(first, run))
      set.problems.push_back(fmt::format(
          "'{}' and '{}' are the same model with the same seed and say different things; "
          "the first is shown",
          first.folder.string(), run.folder.string()));
  }
  set.runs = std::move(runs);
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
        "there is no run in '{}': no folder there has a config.json; expected the folder of a run, "
        "or one with runs below it, such as the runs/ that npq train makes",
        folders.front().string());
  }
  std::sort(set.runs.begin(), set.runs.end(),
            [](const Run& a, const Run& b) { return order_of(a) < order_of(b); });
  for (const auto& run : set.runs)
    set.problems.insert(set.problems.end(), run.warnings.begin(), run.warnings.end());
  keep_one_of_each(set);
  return set;
}

}  // namespace npq::report
