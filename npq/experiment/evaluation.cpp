#include "npq/experiment/evaluation.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/json_file.h"
#include "npq/base/files/mapped_file.h"

namespace npq::experiment {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestEvaluation = 1'000'000'000;

bool contains(const std::vector<int>& sizes, std::int64_t size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

bool includes(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  return std::all_of(some.begin(), some.end(), [&](const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  });
}

std::optional<std::int64_t> samples_of(const Tests& tests, int size) {
  const auto found = tests.samples.find(size);
  return found == tests.samples.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t size_of(const json& evaluation) {
  return evaluation.is_object() ? count_at(evaluation, "size").value_or(0) : 0;
}

json read_evaluation(const fs::path& path, const std::string& skip = "") {
  auto object = read_object(path, kLargestEvaluation, skip);
  if (const auto list = object.find("evaluations"); list == object.end() || !list->is_array())
    throw Error("'{}' has no list 'evaluations'; remove it, and the run is tested again",
                path.string());
  return object;
}

bool holds(const fs::path& file, const std::vector<int>& sizes) {
  try {
    const auto object = read_evaluation(file, "predictions");
    const auto& list = object.at("evaluations");
    return std::all_of(sizes.begin(), sizes.end(), [&](int size) {
      return std::any_of(list.begin(), list.end(),
                         [&](const json& one) { return size_of(one) == size; });
    });
  } catch (const Error&) {
    return false;
  }
}

/// Moves a file that a child has written to its place.
void put_in_place(const fs::path& part, const fs::path& path) {
  const MappedFile file(part);
  AtomicFile whole(path);
  whole.write(file.bytes());
  whole.commit();
  std::error_code ignored;
  fs::remove(part, ignored);
}

}  // namespace

OpenTests open_tests(const std::optional<Record::Evaluated>& there,
                     const Record::Evaluated& wanted) {
  if (!there || there->steps != wanted.steps || !includes(there->tests.ablate, wanted.tests.ablate))
    return {.kept = {}, .missing = wanted.tests.sizes};
  OpenTests tests;
  for (const int size : there->tests.sizes)
    if (!contains(wanted.tests.sizes, size) ||
        samples_of(there->tests, size) == samples_of(wanted.tests, size))
      tests.kept.push_back(size);
  for (const int size : wanted.tests.sizes)
    if (!contains(tests.kept, size)) tests.missing.push_back(size);
  return tests;
}

OpenTests open_tests(const std::optional<Record::Evaluated>& there, const Record::Evaluated& wanted,
                     const fs::path& file) {
  auto tests = open_tests(there, wanted);
  if (tests.kept.empty() || holds(file, tests.kept)) return tests;
  return {.kept = {}, .missing = wanted.tests.sizes};
}

Record::Evaluated with_test(const std::optional<Record::Evaluated>& there,
                            const Record::Evaluated& wanted, std::vector<int> kept, int size) {
  Record::Evaluated now{
      .steps = wanted.steps,
      .tests = {.sizes = std::move(kept), .samples = {}, .ablate = wanted.tests.ablate}};
  for (const int one : now.tests.sizes)
    if (const auto samples = samples_of(there->tests, one)) now.tests.samples[one] = *samples;
  now.tests.sizes.push_back(size);
  std::sort(now.tests.sizes.begin(), now.tests.sizes.end());
  if (const auto samples = samples_of(wanted.tests, size)) now.tests.samples[size] = *samples;
  return now;
}

void add_evaluation(const fs::path& part, const fs::path& file, const std::vector<int>& kept) {
  if (kept.empty()) return put_in_place(part, file);
  auto all = read_evaluation(part);
  auto& list = all["evaluations"];
  const auto before = read_evaluation(file);
  for (const auto& one : before.at("evaluations"))
    if (contains(kept, size_of(one))) list.push_back(one);
  std::stable_sort(list.begin(), list.end(),
                   [](const json& a, const json& b) { return size_of(a) < size_of(b); });
  write_file(file, all.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  std::error_code ignored;
  fs::remove(part, ignored);
}

}  // namespace npq::experiment
