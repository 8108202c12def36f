#include "npq/base/files/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/file_to_write.h"
#include "npq/base/files/retry.h"

namespace npq {

AppendFile::AppendFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open_to_write(path_, O_RDWR | O_APPEND);
  struct stat status;
  if (fstat(descriptor_, &status) < 0) {
    const int code = errno;
    close(descriptor_);
    throw file_error("write", path_, code);
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

AppendFile::~AppendFile() { close(descriptor_); }

void AppendFile::append(std::string_view bytes) {
  const ssize_t count = retry([&] { return write(descriptor_, bytes.data(), bytes.size()); });
  if (count != static_cast<ssize_t>(bytes.size())) {
    // A disk that fills up takes the first part and does not say why.
    const int code = count < 0 ? errno : ENOSPC;
    if (count > 0) truncate(size_);
    throw file_error("write", path_, code);
  }
  size_ += bytes.size();
}

void AppendFile::truncate(std::uint64_t size) {
  if (retry([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) < 0) {
    throw file_error("write", path_, errno);
  }
  size_ = size;
}

void AppendFile::sync() {
  if (retry([&] { return fsync(descriptor_); }) < 0) throw file_error("write", path_, errno);
}

std::string AppendFile::content(std::uint64_t most) const {
  if (size_ > most) {
    throw Error("'{}' has {} bytes, more than the {} that such a file may have; move it away",
                path_.string(), size_, most);
  }
  std::string bytes(static_cast<std::size_t>(size_), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = retry([&] {
      return pread(descriptor_, bytes.data() + filled, bytes.size() - filled,
                   static_cast<off_t>(filled));
    });
    if (count < 0) throw file_error("read", path_, errno);
    if (count == 0) throw file_error("read", path_, EIO);  // another process shortened it
    filled += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace npq
