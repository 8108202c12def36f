#include "npq/base/files/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/file_to_write.h"
#include "npq/base/files/retry.h"

namespace npq {

RunPaths find_run(const std::filesystem::path& folder) {
  RunPaths paths{folder};
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw Error("there is no run folder '{}'; check the path", folder.string());
  }
  if (!std::filesystem::is_regular_file(paths.config(), ignored)) {
    throw Error(
        "'{}' is not a run folder: it has no config.json; expected a folder that npq train or npq "
        "peptides train made",
        folder.string());
  }
  return paths;
}

RunFolder RunFolder::create(const std::filesystem::path& folder) {
  make_folder(folder);
  RunFolder run = locked(folder);
  // Checked only now: while another process starts a run here, there is no config.json yet.
  if (std::filesystem::exists(run.paths().config())) {
    throw Error("'{}' already holds a run; continue it with --resume {} or choose another --out",
                folder.string(), folder.string());
  }
  return run;
}

RunFolder RunFolder::resume(const std::filesystem::path& folder) {
  find_run(folder);
  return locked(folder);
}

RunFolder RunFolder::locked(const std::filesystem::path& folder) {
  const auto path = folder / ".lock";
  const int lock = open_to_write(path, O_RDWR);
  if (retry([&] { return flock(lock, LOCK_EX | LOCK_NB); }) < 0) {
    const int code = errno;
    close(lock);
    if (code != EWOULDBLOCK) throw file_error("lock", path, code);
    throw Error(
        "another process is writing the run folder '{}'; wait for it to end or choose another",
        folder.string());
  }
  return RunFolder(RunPaths{folder}, lock);
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : paths_(std::move(other.paths_)), lock_(std::exchange(other.lock_, -1)) {}

RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
  std::swap(paths_, other.paths_);
  std::swap(lock_, other.lock_);
  return *this;
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace npq
