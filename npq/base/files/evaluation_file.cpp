#include "npq/base/files/evaluation_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>

#include "npq/base/files/atomic_file.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/json_file.h"
#include "npq/base/files/retry.h"

namespace npq {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLargestEvaluations = 1'000'000'000;

/// One writer reads, adds and writes at a time. Without locks on folders
/// (NFS), of two writers that end at the same moment one may be lost, but the file stays whole.
class EvaluationLock {
 public:
  explicit EvaluationLock(const std::filesystem::path& folder)
      : descriptor_(retry([&] { return open(folder.c_str(), O_RDONLY | O_CLOEXEC); })) {
    if (descriptor_ < 0) throw file_error("read", folder, errno);
    retry([&] { return flock(descriptor_, LOCK_EX); });
  }
  ~EvaluationLock() { close(descriptor_); }
  EvaluationLock(const EvaluationLock&) = delete;
  EvaluationLock& operator=(const EvaluationLock&) = delete;

 private:
  int descriptor_;
};

bool agree(const json& a, const json& b, std::initializer_list<const char*> keys) {
  if (!a.is_object() || !b.is_object()) return false;
  return std::all_of(keys.begin(), keys.end(),
                     [&](const char* key) { return a.value(key, json()) == b.value(key, json()); });
}

bool same_test(const json& a, const json& b) {
  return agree(a, b, {"checkpoint", "size", "samples", "seed"});
}

/// A test of a checkpoint that was trained further since.
bool outdated(const json& old, const json& fresh) {
  return agree(old, fresh, {"checkpoint"}) && !agree(old, fresh, {"step"});
}

void add(json& list, json one) {
  std::erase_if(list.get_ref<json::array_t&>(),
                [&](const json& old) { return outdated(old, one); });
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const json& old) { return same_test(old, one); });
  if (found == list.end()) {
    list.push_back(std::move(one));
    return;
  }
  for (const auto& [key, value] : one.items()) {
    if (key == "ablations" && found->contains(key) && found->at(key).is_object())
      found->at(key).update(value);
    else
      (*found)[key] = value;
  }
}

std::pair<std::int64_t, std::string> order_of(const json& one) {
  if (!one.is_object()) return {};
  return {count_at(one, "size").value_or(0), text_at(one, "checkpoint")};
}

}  // namespace

json read_evaluations(const RunPaths& paths) {
  std::error_code ignored;
  const auto path = paths.evaluation();
  // An empty file was made by a shell that redirects the output of npq evaluate.
  if (!std::filesystem::exists(path, ignored) || std::filesystem::file_size(path, ignored) == 0)
    return {{"evaluations", json::array()}};
  auto object = read_object(path, kLargestEvaluations, /*skip=*/"predictions");
  if (const auto list = object.find("evaluations"); list == object.end() || !list->is_array())
    throw Error("'{}' has no list 'evaluations'; remove it, and test the run again", path.string());
  return object;
}

void check_evaluations_can_be_kept(const RunPaths& paths) {
  if (access(paths.folder.c_str(), W_OK) != 0)
    throw Error("{}; --no-save evaluates without keeping the figures",
                file_error("write", paths.evaluation(), errno).what());
  read_evaluations(paths);
}

void keep_evaluations(const RunPaths& paths, json fresh) {
  const EvaluationLock lock(paths.folder);
  auto all = read_evaluations(paths);
  auto& list = all["evaluations"];
  for (auto& one : fresh.at("evaluations")) {
    one.erase("predictions");
    add(list, std::move(one));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const json& a, const json& b) { return order_of(a) < order_of(b); });
  fresh.erase("evaluations");
  all.update(fresh);
  write_file(paths.evaluation(), all.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace npq
