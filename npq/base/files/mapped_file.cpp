#include "npq/base/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "npq/base/files/file_error.h"

namespace npq {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() { close(number); }
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe must not wait for its other end before we can refuse it.
  const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) throw file_error("read", path, errno);
  const Descriptor descriptor{number};
  struct stat status;
  if (fstat(number, &status) < 0) throw file_error("read", path, errno);
  if (S_ISDIR(status.st_mode)) throw file_error("read", path, EISDIR);
  if (!S_ISREG(status.st_mode)) {
    throw Error("cannot read '{}': it is a pipe or a device; expected a regular file",
                path.string());
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // mmap refuses empty files
  void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, number, 0);
  if (start == MAP_FAILED) throw file_error("read", path, errno);
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace npq
