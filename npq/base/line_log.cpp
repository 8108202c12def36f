#include "npq/base/line_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>

#include "npq/base/error.h"
#include "npq/base/file_error.h"
#include "npq/base/retry.h"

namespace npq {
namespace {

// All bytes of an open file. Not mapped into memory: a resumed run may shorten the file while we
// read.
std::string read_all(int descriptor, const std::filesystem::path& path) {
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

// The "step" of a line; nothing where it has none.
std::optional<std::int64_t> step_of(std::string_view line, std::size_t number,
                                    const std::filesystem::path& path) {
  const auto object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    throw Error("line {} of '{}' is not a JSON object; remove the line to go on", number,
                path.string());
  }
  const auto step = object.find("step");
  if (step == object.end()) return std::nullopt;
  if (!step->is_number_integer()) {
    throw Error("line {} of '{}' has a step that is no whole number; remove the line to go on",
                number, path.string());
  }
  return step->get<std::int64_t>();
}

}  // namespace

LineLog::LineLog(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ =
      retry([&] { return open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); });
  if (descriptor_ < 0) throw file_error("write", path_, errno);
  try {
    const std::string content = read_all(descriptor_, path_);
    size_ = content.size();
    if (const auto complete = complete_size(content); complete != content.size())
      truncate(complete);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

LineLog::~LineLog() { close(descriptor_); }

void LineLog::append(std::string_view line) {
  NPQ_ASSERT(line.find('\n') == line.npos);
  const std::string text = std::string(line) + '\n';
  const ssize_t count = retry([&] { return write(descriptor_, text.data(), text.size()); });
  if (count != static_cast<ssize_t>(text.size())) {
    // A disk that fills up takes the first part of a line and does not say why.
    const int code = count < 0 ? errno : ENOSPC;
    if (count > 0) truncate(size_);
    throw file_error("write", path_, code);
  }
  size_ += text.size();
}

void LineLog::truncate(std::uint64_t size) {
  if (retry([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) < 0) {
    throw file_error("write", path_, errno);
  }
  size_ = size;
}

void LineLog::cut_to_size(std::uint64_t size) {
  const std::string content = read_all(descriptor_, path_);
  if (size > content.size() || complete_size(std::string_view(content).substr(0, size)) != size) {
    throw Error(
        "'{}' has {} bytes and no line that ends at byte {}, where the saved state continues; "
        "it was changed by hand, start a new run",
        path_.string(), content.size(), size);
  }
  truncate(size);
}

void LineLog::cut_beyond_step(std::int64_t step) {
  const std::string content = read_all(descriptor_, path_);
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < content.size(); ++number) {
    const auto end = content.find('\n', begin);
    const auto logged =
        step_of(std::string_view(content).substr(begin, end - begin), number, path_);
    if (logged && *logged > step) return truncate(begin);
    begin = end + 1;
  }
}

void LineLog::sync() {
  if (retry([&] { return fsync(descriptor_); }) < 0) throw file_error("write", path_, errno);
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
