#include "npq/base/files/file_to_write.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "npq/base/files/file_error.h"
#include "npq/base/files/retry.h"

namespace npq {
namespace {

constexpr int kMostLinks = 40;  // as the system itself

const char* kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

std::filesystem::path file_to_write(const std::filesystem::path& path) {
  // Followed to its end in one step: the target of /dev/stdout has no name.
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) throw file_error("write", path, errno);
  if (!path.has_filename() || (exists && S_ISDIR(status.st_mode)))
    throw file_error("write", path, EISDIR);
  if (exists && !S_ISREG(status.st_mode))
    throw Error(
        "cannot write '{}': it is {}, and files are put in place whole, which would remove it; "
        "choose a name that is free or that of a file (what is meant to be read at once, as with "
        "--json, goes to standard output)",
        path.string(), kind_of(status.st_mode));
  auto place = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code error;
    if (!std::filesystem::is_symlink(place, error)) return place;
    const auto next = std::filesystem::read_symlink(place, error);
    if (error) throw file_error("write", path, error.value());
    place = place.parent_path() / next;  // an absolute one takes the place of all before it
  }
  throw file_error("write", path, ELOOP);
}

int open_to_write(const std::filesystem::path& path, int flags) {
  const auto place = file_to_write(path);
  const int descriptor =
      retry([&] { return open(place.c_str(), flags | O_CREAT | O_CLOEXEC, 0666); });
  if (descriptor < 0) throw file_error("write", path, errno);
  return descriptor;
}

}  // namespace npq
