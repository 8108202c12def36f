#include "npq/experiment/committed.h"

#include "npq/base/error.h"
#include "npq/base/json_file.h"
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

}  // namespace

fs::path committed_file(const fs::path& results, const Plan& plan, const PlannedRun& run) {
  auto path = results / plan.name / run.folder();
  path += ".json";
  return path;
}

bool is_committed(const fs::path& results, const Plan& plan, const PlannedRun& run) {
  if (results.empty()) return false;
  const auto path = committed_file(results, plan, run);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return false;
  const auto result = read_object(path, kLargestResult);
  const auto flags = result.find("flags");
  if (text_at(result, "format") != "npq-result-1" || flags == result.end())
    throw Error("'{}' is no result of npq experiment collect; remove it", path.string());
  const auto there = tested(result, run);
  return text_at(result, "key") == run.key() && *flags == nlohmann::json(run.flags) &&
         covers(there, wanted_evaluation(plan, run));
}

}  // namespace npq::experiment
