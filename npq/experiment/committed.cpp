#include "npq/experiment/committed.h"

#include <algorithm>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/files/json_file.h"
#include "npq/experiment/status.h"

namespace npq::experiment {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestResult = 10'000'000;

/// Whether the models were scored at that size, on as many graphs and without the same parts of
/// the memory as planned.
bool is_tested(const nlohmann::json& result, const Tests& wanted, int size) {
  const auto tests = result.find("tests");
  if (tests == result.end() || !tests->is_array()) return false;
  const auto samples = wanted.samples.find(size);
  return std::any_of(tests->begin(), tests->end(), [&](const nlohmann::json& test) {
    if (!test.is_object() || text_at(test, "checkpoint") != "best") return false;
    const auto ablations = test.value("ablations", nlohmann::json());
    return count_at(test, "size") == size &&
           (samples == wanted.samples.end() || count_at(test, "samples") == samples->second) &&
           std::all_of(wanted.ablate.begin(), wanted.ablate.end(),
                       [&](const std::string& name) { return ablations.contains(name); });
  });
}

bool is_same_run(const fs::path& file, const PlannedRun& run) {
  const auto result = read_object(file, kLargestResult);
  const auto flags = result.find("flags");
  if (text_at(result, "format") != "npq-result-1" || flags == result.end())
    throw Error("'{}' is not a result of npq experiment collect; remove it", file.string());
  return text_at(result, "key") == run.key() && *flags == nlohmann::json(run.flags) &&
         count_at(result, run.counted_in()) == run.steps &&
         std::all_of(run.tests.sizes.begin(), run.tests.sizes.end(),
                     [&](int size) { return is_tested(result, run.tests, size); });
}

/// Folders of experiments, in the order of their names.
std::vector<fs::path> folders_in(const fs::path& results) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(results, ignored))
    if (entry.is_directory(ignored)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

fs::path file_in(const fs::path& folder, const PlannedRun& run) {
  auto path = folder / run.folder();
  path += ".json";
  return path;
}

}  // namespace

fs::path committed_file(const fs::path& results, const Plan& plan, const PlannedRun& run) {
  return file_in(results / plan.name, run);
}

std::optional<fs::path> committed_result(const fs::path& results, const Plan& plan,
                                         const PlannedRun& run) {
  if (results.empty()) return {};
  std::error_code ignored;
  const auto own = committed_file(results, plan, run);
  if (fs::exists(own, ignored) && is_same_run(own, run)) return own;
  for (const auto& folder : folders_in(results)) {
    const auto file = file_in(folder, run);
    if (file == own || !fs::exists(file, ignored)) continue;
    try {
      if (is_same_run(file, run)) return file;
    } catch (const Error&) {
      continue;  // reported when that experiment is run
    }
  }
  return {};
}

}  // namespace npq::experiment
