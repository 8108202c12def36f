#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace npq {

/// A number under a name, such as "loss" or "scores/pi"; TensorBoard groups names by what stands
/// before the first '/'.
struct Scalar {
  std::string tag;
  float value = 0;
};

/// One event of a TensorBoard file: what was measured at one step. A file's first event has its
/// version instead.
struct Event {
  double wall_time = 0;  // seconds since 1970
  std::int64_t step = 0;
  std::string file_version;
  std::vector<Scalar> scalars;
};

/// The version that TensorBoard's own writers give their files.
inline constexpr std::string_view kEventFileVersion = "brain.Event:2";

/// The event as it lies in a file, a record of the form
///   u64 length | u32 checksum of the length | message | u32 checksum of the message
/// little-endian. The checksums are CRC-32C, masked (rotated right by 15 bits, + 0xA282EAD8); the
/// message is the Event of TensorBoard's event.proto.
std::string event_record(const Event& event);

/// Reads the records of an event file one after the other and trusts none of them. It ends at an
/// incomplete last record, as a killed process leaves it. Damage before that is an Error with the
/// byte.
class EventReader {
 public:
  /// `bytes` must outlive the reader; `file` stands for them in messages.
  EventReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  /// The next event; nothing at the end. Fields other than those of Event (pictures, say) are
  /// skipped.
  std::optional<Event> next();
  /// Where the last event that was read ends.
  std::size_t position() const { return position_; }

 private:
  std::optional<Event> end_if_torn(std::size_t damage_end, const char* damage) const;

  std::string_view bytes_;
  std::string file_;
  std::size_t position_ = 0;
};

}  // namespace npq
