#include "npq/base/files/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "npq/base/files/file_error.h"
#include "npq/base/files/file_to_write.h"
#include "npq/base/files/retry.h"

namespace npq {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

std::string temporary_prefix(const std::filesystem::path& path) {
  return fmt::format(".{}.tmp-", path.filename().string());
}

// The renaming itself must survive a power cut, so the folder's own entry is flushed as well.
void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& path) {
  const int descriptor =
      retry([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) throw file_error("write", path, errno);
  const int code = retry([&] { return fsync(descriptor); }) < 0 ? errno : 0;
  close(descriptor);
  // Some network file systems cannot flush folders and say so; there is nothing better to do there.
  if (code != 0 && code != EINVAL && code != EROFS) throw file_error("write", path, code);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)),
      target_(file_to_write(path_)),
      folder_(target_.has_parent_path() ? target_.parent_path() : ".") {
  remove_stale_temporaries();
  buffer_.reserve(kBufferBytes);
  open_temporary();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  unlink(temporary_.c_str());
  close(descriptor_);
}

void AtomicFile::open_temporary() {
  static std::atomic<unsigned> counter{0};
  for (;;) {
    temporary_ = folder_ / fmt::format("{}{}-{}", temporary_prefix(target_), getpid(), counter++);
    descriptor_ = retry(
        [&] { return open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    if (descriptor_ < 0 && errno == EEXIST) continue;  // same process number, another machine
    if (descriptor_ < 0) throw file_error("write", target_, errno);
    // Without locks in the file system we go on: then no other process can take ours for stale
    // either.
    retry([&] { return flock(descriptor_, LOCK_EX); });
    struct stat status;
    if (fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return;
    close(descriptor_);  // another writer took it for stale before it was locked: a new name
    descriptor_ = -1;
  }
}

void AtomicFile::remove_stale_temporaries() const {
  const std::string prefix = temporary_prefix(target_);
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(folder_, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const int descriptor =
        open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry->path().c_str());
    close(descriptor);
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  NPQ_ASSERT(descriptor_ >= 0);
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    write_through(bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
  size_ += bytes.size();
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void AtomicFile::overwrite(std::uint64_t position, std::string_view text) {
  NPQ_ASSERT(descriptor_ >= 0 && position <= size_ && text.size() <= size_ - position);
  const std::uint64_t flushed = size_ - buffer_.size();
  if (position >= flushed) {
    std::memcpy(buffer_.data() + (position - flushed), text.data(), text.size());
    return;
  }
  flush();
  while (!text.empty()) {
    const ssize_t written = retry([&] {
      return pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(position));
    });
    if (written < 0) throw file_error("write", path_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
    position += static_cast<std::uint64_t>(written);
  }
}

void AtomicFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void AtomicFile::write_through(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // write(2) takes at most 2 GB at a time.
    const std::size_t piece = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    const ssize_t written = retry([&] { return ::write(descriptor_, bytes.data(), piece); });
    if (written < 0) throw file_error("write", path_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  NPQ_ASSERT(descriptor_ >= 0);
  flush();
  if (retry([&] { return fsync(descriptor_); }) < 0) throw file_error("write", path_, errno);
  if (rename(temporary_.c_str(), target_.c_str()) < 0) throw file_error("write", path_, errno);
  const int descriptor = std::exchange(descriptor_, -1);
  // fsync has reported all that can go wrong with the content; close must not be repeated, even
  // when interrupted.
  close(descriptor);
  sync_folder(folder_, path_);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  // Some systems complain where it is there but not ours to make.
  std::error_code ignored;
  if (error && !std::filesystem::is_directory(folder, ignored))
    throw file_error("create", folder, error.value());
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace npq
