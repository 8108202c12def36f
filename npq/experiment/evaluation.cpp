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

Tests open_tests(const std::optional<Record::Evaluated>& there, const Record::Evaluated& wanted) {
  if (!there || there->steps != wanted.steps || there->samples != wanted.samples)
    return {.kept = {}, .missing = wanted.sizes};
  Tests tests{.kept = there->sizes, .missing = {}};
  for (const int size : wanted.sizes)
    if (!contains(tests.kept, size)) tests.missing.push_back(size);
  return tests;
}

Tests open_tests(const std::optional<Record::Evaluated>& there, const Record::Evaluated& wanted,
                 const fs::path& file) {
  auto tests = open_tests(there, wanted);
  if (tests.kept.empty() || holds(file, tests.kept)) return tests;
  return {.kept = {}, .missing = wanted.sizes};
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
