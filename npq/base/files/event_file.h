#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "npq/base/files/append_file.h"
#include "npq/base/formats/event_record.h"

namespace npq {

/// The curves of a run for TensorBoard, which reads the file also while it is being written. One
/// writer at a time (see RunFolder).
///
/// Every call is one write of one whole record and needs no flushing to be seen. A process may be
/// killed in the middle of a record; readers ignore an incomplete last one, and the next writer
/// removes it. A resumed run goes on in the same file. Its records of the same steps and names have
/// the same sizes as those that were removed, so a running TensorBoard finds its place again.
class EventFile {
 public:
  /// Where the event file of a run folder lies; TensorBoard knows it by "tfevents" in the name.
  static std::filesystem::path path_in(const std::filesystem::path& folder) {
    return folder / "events.out.tfevents.npq";
  }

  /// Opens or begins the event file of `folder`, without an incomplete last record. A file damaged
  /// elsewhere, or no event file, is an Error.
  explicit EventFile(const std::filesystem::path& folder);

  /// All that was measured at one step, at the present time. Values are kept as float.
  void append(std::int64_t step, std::span<const Scalar> scalars);
  void append(std::int64_t step, const std::string& tag, double value);

  /// Removes the first event that lies beyond `step`, and all after it: what a killed process
  /// logged after it saved its state. With step -1 only the beginning of the file remains.
  void cut_beyond_step(std::int64_t step);
  /// Returns once the events are on the disk; to be called before a state that counts on them is
  /// saved.
  void sync() { file_.sync(); }

  const std::filesystem::path& path() const { return file_.path(); }
  std::uint64_t size() const { return file_.size(); }

 private:
  AppendFile file_;
};

}  // namespace npq
