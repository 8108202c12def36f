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

/// The sizes of the test sets that both models were scored on, and with how many samples.
Record::Evaluated tested(const nlohmann::json& result, const PlannedRun& run) {
  Record::Evaluated tested{
      .steps = count_at(result, run.counted_in()).value_or(0), .sizes = {}, .samples = {}};
  const auto tests = result.find("tests");
  if (tests == result.end() || !tests->is_array()) return tested;
  for (const auto& test : *tests) {
    const auto size = test.is_object() ? count_at(test, "size") : std::nullopt;
    if (!size || text_at(test, "checkpoint") != "best") continue;
    tested.sizes.push_back(static_cast<int>(*size));
    tested.samples = count_at(test, "samples");
  }
  return tested;
}

bool is_same_run(const fs::path& file, const Plan& plan, const PlannedRun& run) {
  const auto result = read_object(file, kLargestResult);
  const auto flags = result.find("flags");
  if (text_at(result, "format") != "npq-result-1" || flags == result.end())
    throw Error("'{}' is not a result of npq experiment collect; remove it", file.string());
  return text_at(result, "key") == run.key() && *flags == nlohmann::json(run.flags) &&
         covers(tested(result, run), wanted_evaluation(plan, run));
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
  if (fs::exists(own, ignored) && is_same_run(own, plan, run)) return own;
  for (const auto& folder : folders_in(results)) {
    const auto file = file_in(folder, run);
    if (file == own || !fs::exists(file, ignored)) continue;
    try {
      if (is_same_run(file, plan, run)) return file;
    } catch (const Error&) {
      continue;  // reported when that experiment is run
    }
  }
  return {};
}

}  // namespace npq::experiment
