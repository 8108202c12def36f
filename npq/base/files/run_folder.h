#pragma once
#include <filesystem>
#include <string_view>

namespace npq {

/// The models that a run leaves, as its files, tests and options name them.
inline constexpr std::string_view kModels[] = {"best", "last", "average"};

/// The paths of a run's files. For readers: nothing is opened or locked.
struct RunPaths {
  std::filesystem::path folder;

  std::filesystem::path config() const { return folder / "config.json"; }
  std::filesystem::path metrics() const { return folder / "metrics.jsonl"; }
  std::filesystem::path best() const { return folder / "best.safetensors"; }
  std::filesystem::path last() const { return folder / "last.safetensors"; }
  std::filesystem::path average() const { return folder / "average.safetensors"; }
  std::filesystem::path state() const { return folder / "state.safetensors"; }
  std::filesystem::path result() const { return folder / "result.json"; }
  std::filesystem::path evaluation() const { return folder / "evaluation.json"; }
};

/// The paths of an existing run; an Error if the folder holds none.
RunPaths find_run(const std::filesystem::path& folder);

/// A run folder that this process writes, and no other: it holds a lock (flock on the file ".lock")
/// that ends with the process, however it ends. Files in it are written with AtomicFile, the log
/// with LineLog, so that killing the process at any moment leaves a folder that can be resumed.
class RunFolder {
 public:
  /// A new run. The folder is made if missing, with its parents; a folder with a
  /// config.json is refused.
  static RunFolder create(const std::filesystem::path& folder);
  /// A run to resume.
  static RunFolder resume(const std::filesystem::path& folder);

  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&& other) noexcept;
  ~RunFolder();

  const RunPaths& paths() const { return paths_; }

 private:
  RunFolder(RunPaths paths, int lock) : paths_(std::move(paths)), lock_(lock) {}
  static RunFolder locked(const std::filesystem::path& folder);

  RunPaths paths_;
  int lock_ = -1;
};

}  // namespace npq
