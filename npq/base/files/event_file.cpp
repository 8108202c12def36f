#include "npq/base/files/event_file.h"

#include <chrono>

#include "npq/base/error.h"

namespace npq {
namespace {

// The paper's 30000 steps make about 2 MB.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder) : file_(path_in(folder)) {
  const std::string content = file_.content(kLargestFile);
  EventReader reader(content, path().string());
  const auto first = reader.next();
  if (first && first->file_version != kEventFileVersion) {
    throw Error("'{}' does not begin as an event file: version '{}' expected; move it away",
                path().string(), kEventFileVersion);
  }
  while (reader.next()) {
  }
  if (reader.position() != content.size()) file_.truncate(reader.position());
  if (first) return;
  file_.append(event_record(
      {.wall_time = seconds_since_1970(), .file_version = std::string(kEventFileVersion)}));
}

void EventFile::append(std::int64_t step, std::span<const Scalar> scalars) {
  file_.append(event_record({.wall_time = seconds_since_1970(),
                             .step = step,
                             .scalars = {scalars.begin(), scalars.end()}}));
}

void EventFile::append(std::int64_t step, const std::string& tag, double value) {
  const Scalar scalar{tag, static_cast<float>(value)};
  append(step, std::span(&scalar, 1));
}

void EventFile::cut_beyond_step(std::int64_t step) {
  const std::string content = file_.content(kLargestFile);
  EventReader reader(content, path().string());
  std::size_t kept = 0;
  while (const auto event = reader.next()) {
    if (event->file_version.empty() && event->step > step) return file_.truncate(kept);
    kept = reader.position();
  }
}

}  // namespace npq
