#include "npq/base/files/line_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>

#include "npq/base/error.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/retry.h"
#include "npq/base/formats/json_text.h"

namespace npq {
namespace {

constexpr std::uint64_t kLargestLog = std::uint64_t{1} << 32;

// All bytes of an open file. Not mapped into memory: a resumed run may shorten the file while we
// read.
std::string read_all(int descriptor, const std::filesystem::path& path) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) throw file_error("read", path, errno);
  if (S_ISDIR(status.st_mode)) throw file_error("read", path, EISDIR);
  // A device may have no end.
  if (!S_ISREG(status.st_mode))
    throw Error("cannot read '{}': it is a pipe or a device; expected a file", path.string());
  std::string content;
  std::string piece(1 << 16, '\0');
  for (;;) {
    const ssize_t count = retry([&] {
      return pread(descriptor, piece.data(), piece.size(), static_cast<off_t>(content.size()));
    });
    if (count < 0) throw file_error("read", path, errno);
    if (count == 0) return content;
    content.append(piece, 0, static_cast<std::size_t>(count));
  }
}

// Where the last complete line ends.
std::size_t complete_size(std::string_view content) {
  const auto last = content.rfind('\n');
  return last == content.npos ? 0 : last + 1;
}

// The "step" of a line; nothing if it has none.
std::optional<std::int64_t> step_of(std::string_view line, std::size_t number,
                                    const std::filesystem::path& path) {
  const auto object = parse_json_object(line, fmt::format("line {} of '{}'", number, path.string()),
                                        {.advice = "remove the line to go on"});
  const auto step = object.find("step");
  if (step == object.end()) return std::nullopt;
  if (!step->is_number_integer()) {
    throw Error("line {} of '{}' has a step that is not a whole number; remove the line to go on",
                number, path.string());
  }
  return step->get<std::int64_t>();
}

}  // namespace

LineLog::LineLog(std::filesystem::path path) : file_(std::move(path)) {
  const auto content = file_.content(kLargestLog);
  if (const auto complete = complete_size(content); complete != content.size())
    file_.truncate(complete);
}

void LineLog::append(std::string_view line) {
  NPQ_ASSERT(line.find('\n') == line.npos);
  file_.append(std::string(line) + '\n');
}

void LineLog::cut_beyond_step(std::int64_t step) {
  const auto content = file_.content(kLargestLog);
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < content.size(); ++number) {
    const auto end = content.find('\n', begin);
    const auto logged =
        step_of(std::string_view(content).substr(begin, end - begin), number, file_.path());
    if (logged && *logged > step) return file_.truncate(begin);
    begin = end + 1;
  }
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  const int descriptor =
      retry([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (descriptor < 0 && errno == ENOENT) return {};
  if (descriptor < 0) throw file_error("read", path, errno);
  std::string content;
  try {
    content = read_all(descriptor, path);
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
  std::vector<std::string> lines;
  const std::size_t size = complete_size(content);
  for (std::size_t begin = 0; begin < size;) {
    const auto end = content.find('\n', begin);
    lines.push_back(content.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace npq
