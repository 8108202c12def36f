#include "npq/base/resources.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>

#include "npq/base/error.h"
#include "npq/base/parallel.h"

namespace npq {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> regardless{false}, force_offered{false};

constexpr int kThreadsPerCore = 4;
constexpr double kSmall = 1e8;  // not worth asking for

/// The number behind `name` in lines such as "MemAvailable:  123 kB" or "anon 123".
std::optional<double> number_behind(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    double number = 0;
    if (word == name && file >> number) return number;
  }
  return std::nullopt;
}

/// A file that holds a number alone; "max" is none.
std::optional<double> number_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

/// How much one control group may still use. Its use beyond its processes' memory is cache, which
/// the system frees when needed.
std::optional<double> left_to(const fs::path& group) {
  const auto most = smaller(number_in(group / "memory.max"), number_in(group / "memory.high"));
  if (most) return std::max(0.0, *most - number_behind(group / "memory.stat", "anon").value_or(0));
  const auto old = number_in(group / "memory.limit_in_bytes");  // version 1
  if (!old) return std::nullopt;
  return std::max(0.0, *old - number_behind(group / "memory.stat", "total_rss").value_or(0));
}

/// Our group and all around it; the folders are those of version 2 or of version 1's memory part.
std::optional<double> left_to_groups(const fs::path& root) {
  std::optional<double> left;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const auto parts = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool memory = parts.find(",memory,") != parts.npos;
    if (!memory && parts != ",,") continue;
    const auto top = root / (memory ? "sys/fs/cgroup/memory" : "sys/fs/cgroup");
    auto group = fs::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      left = smaller(left, left_to(top / group));
      if (group.empty()) break;
    }
  }
  return left;
}

[[noreturn]] void refuse(const std::string& what, double bytes, const char* of, double free,
                         const std::string& less) {
  throw Error("{} needs at least {} of {}, but {} are free; ask for less ({}){}", what,
              bytes_text(bytes), of, bytes_text(free), less,
              force_offered ? " or add --force" : "");
}

}  // namespace

std::optional<double> free_memory(const fs::path& root) {
  auto available = number_behind(root / "proc/meminfo", "MemAvailable:");
  if (available) *available *= 1024;
  return smaller(available, left_to_groups(root));
}

std::optional<double> free_disk(const fs::path& path) {
  std::error_code ignored;
  auto place = fs::absolute(path, ignored);
  while (!fs::exists(place, ignored) && place.has_relative_path()) place = place.parent_path();
  struct statvfs status;
  // No blocks at all: no disk, as /proc.
  if (statvfs(place.c_str(), &status) != 0 || status.f_blocks == 0) return std::nullopt;
  return static_cast<double>(status.f_bavail) * static_cast<double>(status.f_frsize);
}

void check_memory(double bytes, const std::string& what, const std::string& less) {
  if (regardless || bytes < kSmall) return;
  const auto free = free_memory();
  if (free && bytes > *free) refuse(what, bytes, "memory", *free, less);
}

void check_disk(double bytes, const fs::path& path, const std::string& what,
                const std::string& less) {
  if (regardless) return;
  const auto free = free_disk(path);
  if (free && bytes > *free)
    refuse(fmt::format("{} in '{}'", what, path.string()), bytes, "disk", *free, less);
}

void check_threads(int threads) {
  const int most = kThreadsPerCore * available_threads();
  if (regardless || threads <= most) return;
  throw UsageError(
      "--threads is {}, but this machine lets us use {} cores; expected at most {}, or 0 for all "
      "cores; --force goes on",
      threads, available_threads(), most);
}

void offer_force() { force_offered = true; }

void go_on_regardless() { regardless = true; }

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

}  // namespace npq
