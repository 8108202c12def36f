#include "npq/base/files/file_error.h"

#include <cerrno>
#include <system_error>

namespace npq {
namespace {

std::string_view advice(int code) {
  switch (code) {
    case ENOENT:
      return "check the path";
    case ELOOP:
      return "its links lead in a circle; remove one of them or choose another path";
    case ENOTDIR:
      return "a part of the path is a file, where a folder was expected";
    case EISDIR:
      return "expected a file";
    case EACCES:
    case EPERM:
      return "check the permissions or choose another place";
    case EROFS:
      return "choose a place that is not mounted read-only";
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another place; nothing that was there has changed";
    case EFBIG:
      return "the file is larger than this system or its limits (ulimit -f) allow";
    case EMFILE:
    case ENFILE:
      return "too many files are open; raise the limit (ulimit -n)";
    case EIO:
      return "the disk reports a fault; choose another place";
    default:
      return "choose another place or try again";
  }
}

}  // namespace

Error file_error(std::string_view action, const std::filesystem::path& path, int code) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code ignored;
  if (code == ENOENT && !std::filesystem::exists(folder, ignored)) {
    return Error("cannot {} '{}': the folder '{}' does not exist; create it or check the path",
                 action, path.string(), folder.string());
  }
  return Error("cannot {} '{}': {}; {}", action, path.string(),
               std::generic_category().message(code), advice(code));
}

}  // namespace npq
