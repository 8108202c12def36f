#include "npq/report/run_tests.h"

#include <fmt/format.h>

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/json_file.h"

namespace npq::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestEvaluation = 1'000'000'000;

/// Of several tests of a model at one size the one on most samples.
void keep_largest_tests(std::vector<TestScore>& tests) {
  std::vector<TestScore> kept;
  for (auto& test : tests) {
    const auto other = std::find_if(kept.begin(), kept.end(), [&](const TestScore& one) {
      return one.size == test.size && one.checkpoint == test.checkpoint;
    });
    if (other == kept.end()) {
      kept.push_back(std::move(test));
    } else if (test.samples > other->samples) {
      *other = std::move(test);
    }
  }
  tests = std::move(kept);
}

/// One score per sample; empty if they are not all there.
std::vector<double> sample_scores(const json& test) {
  std::vector<double> scores;
  if (!test.is_object()) return scores;
  const auto found =
      test.find(test.contains("molecule_errors") ? "molecule_errors" : "sample_scores");
  if (found == test.end() || !found->is_array()) return scores;
  for (const auto& value : *found)
    if (value.is_number()) scores.push_back(value.get<double>());
  // Leaving out one that is not a number would shift the rest against other models.
  if (scores.size() != found->size()) scores.clear();
  return scores;
}

/// Scores of a model that has been trained further since are not those of the run as it is.
void warn_of_old_tests(Run& run, const fs::path& path, const json& evaluations) {
  if (!run.finished || !run.kind().counts_steps()) return;
  for (const auto& one : evaluations) {
    if (!one.is_object() || text_at(one, "checkpoint") != "last") continue;
    const auto step = count_at(one, "step");
    if (!step || *step + 1 >= run.steps_done) continue;
    run.warnings.push_back(fmt::format(
        "'{}' tests the model after {} steps, but the run has gone on to {}; test it again with "
        "npq evaluate {}",
        path.string(), *step + 1, run.steps_done, run.folder.string()));
    return;
  }
}

}  // namespace

std::vector<TestScore> test_scores(const json& list, const Metric& metric) {
  std::vector<TestScore> tests;
  for (const auto& one : list) {
    if (!one.is_object()) continue;
    const auto size = count_at(one, "size");
    const auto figure = one.find("score");
    if (!size || figure == one.end() || !figure->is_object()) continue;
    const auto score = number_at(*figure, "value");
    if (!score || !metric.holds(*score)) continue;
    tests.push_back({.checkpoint = text_at(one, "checkpoint"),
                     .size = *size,
                     .samples = count_at(one, "samples").value_or(0),
                     .score = *score,
                     .low = number_at(*figure, "low"),
                     .high = number_at(*figure, "high")});
    auto& test = tests.back();
    test.sample_scores = sample_scores(one);
    const auto ablations = one.find("ablations");
    if (ablations == one.end() || !ablations->is_object()) continue;
    for (const auto& [name, ablated] : ablations->items())
      if (auto scores = sample_scores(ablated);
          !scores.empty() && scores.size() == test.sample_scores.size())
        test.ablated[name] = std::move(scores);
  }
  return tests;
}

void read_evaluation(Run& run, const fs::path& path) {
  const auto evaluation = read_object(path, kLargestEvaluation, /*skip=*/"predictions");
  const auto all = evaluation.find("evaluations");
  if (all == evaluation.end() || !all->is_array())
    throw Error("'{}' has no list 'evaluations'; remove it, and npq evaluate writes it again",
                path.string());
  auto tests = test_scores(*all, run.metric());
  if (tests.size() < all->size())
    run.warnings.push_back(
        fmt::format("'{}': {} of {} evaluations have no size with a score from 0 to 1; left out",
                    path.string(), all->size() - tests.size(), all->size()));
  warn_of_old_tests(run, path, *all);
  run.tests.insert(run.tests.end(), tests.begin(), tests.end());  // beside what result.json says
  keep_largest_tests(run.tests);
}

}  // namespace npq::report
