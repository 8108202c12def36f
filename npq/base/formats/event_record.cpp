#include "npq/base/formats/event_record.h"

#include <cstring>

#include "npq/base/error.h"
#include "npq/base/formats/crc32c.h"
#include "npq/base/formats/protobuf.h"
#include "npq/base/utf8.h"

namespace npq {
namespace {

// Field numbers of event.proto and summary.proto.
constexpr std::uint32_t kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5;  // of Event
constexpr std::uint32_t kValue = 1;                                                // of Summary
constexpr std::uint32_t kTag = 1, kSimpleValue = 2;                                // of its Value

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kHeadBytes = kLengthBytes + kChecksumBytes;
// A million bytes are tens of thousands of scalars; what claims more was not written by us, and a
// message of empty scalars takes twenty times its size in memory.
constexpr std::size_t kLongestMessage = std::size_t{1} << 20;

// Checksums of data that contain checksums would be weak, hence the mask.
std::uint32_t masked_checksum(std::string_view bytes) {
  const std::uint32_t checksum = crc32c(bytes);
  return ((checksum >> 15) | (checksum << 17)) + 0xA282EAD8u;
}

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T>
T number_at(std::string_view bytes, std::size_t position) {
  T value;
  std::memcpy(&value, bytes.substr(position, sizeof value).data(), sizeof value);
  return value;
}

std::string message_of(const Event& event) {
  std::string message;
  put_double_field(message, kWallTime, event.wall_time);
  if (event.step != 0) put_varint_field(message, kStep, static_cast<std::uint64_t>(event.step));
  if (!event.file_version.empty()) put_bytes_field(message, kFileVersion, event.file_version);
  if (event.scalars.empty()) return message;
  std::string summary;
  for (const auto& scalar : event.scalars) {
    NPQ_ASSERT(is_utf8(scalar.tag));  // protobuf's own readers refuse the file otherwise
    std::string value;
    put_bytes_field(value, kTag, scalar.tag);
    put_float_field(value, kSimpleValue, scalar.value);  // zero too: it says that this is a scalar
    put_bytes_field(summary, kValue, value);
  }
  put_bytes_field(message, kSummary, summary);
  return message;
}

std::optional<Scalar> scalar_of(std::string_view message, const std::string& context) {
  Scalar scalar;
  bool is_scalar = false;
  for (MessageReader field(message, context); field.next();) {
    if (field.number() == kTag) scalar.tag = field.text();
    if (field.number() != kSimpleValue) continue;
    scalar.value = field.as_float();
    is_scalar = true;
  }
  return is_scalar ? std::optional(std::move(scalar)) : std::nullopt;
}

Event event_of(std::string_view message, const std::string& context) {
  Event event;
  for (MessageReader field(message, context); field.next();) {
    switch (field.number()) {
      case kWallTime:
        event.wall_time = field.as_double();
        break;
      case kStep:
        event.step = static_cast<std::int64_t>(field.varint());
        break;
      case kFileVersion:
        event.file_version = field.text();
        break;
      case kSummary:
        for (MessageReader value(field.bytes(), context); value.next();) {
          if (value.number() != kValue) continue;
          if (auto scalar = scalar_of(value.bytes(), context)) {
            event.scalars.push_back(std::move(*scalar));
          }
        }
        break;
      default:
        break;
    }
  }
  return event;
}

}  // namespace

std::string event_record(const Event& event) {
  const std::string message = message_of(event);
  NPQ_ASSERT(message.size() <= kLongestMessage);
  const std::string length = bytes_of(std::uint64_t{message.size()});
  return length + bytes_of(masked_checksum(length)) + message + bytes_of(masked_checksum(message));
}

std::optional<Event> EventReader::next() {
  const auto rest = bytes_.substr(position_);
  if (rest.size() < kHeadBytes) return std::nullopt;  // the end, or an incomplete head
  const auto length = number_at<std::uint64_t>(rest, 0);
  if (masked_checksum(rest.substr(0, kLengthBytes)) != number_at<std::uint32_t>(rest, 8)) {
    return end_if_torn(kHeadBytes, "a length that does not agree with its checksum");
  }
  if (length > kLongestMessage) {
    throw Error(
        "the record at byte {} of '{}' has {} bytes, and no record of ours has more than {}; it "
        "is not a run's event file, move it away",
        position_, file_, length, kLongestMessage);
  }
  const std::size_t size = kHeadBytes + static_cast<std::size_t>(length) + kChecksumBytes;
  if (rest.size() < size) return std::nullopt;  // incomplete
  const auto message = rest.substr(kHeadBytes, static_cast<std::size_t>(length));
  if (masked_checksum(message) != number_at<std::uint32_t>(rest, size - kChecksumBytes)) {
    return end_if_torn(size, "a message that does not agree with its checksum");
  }
  auto event = event_of(message, fmt::format("the record at byte {} of '{}'", position_, file_));
  position_ += size;
  return event;
}

// A power cut may leave zeros where the last bytes were to be. So a wrong record followed
// by zeros alone counts as incomplete; followed by anything else, it is damaged.
std::optional<Event> EventReader::end_if_torn(std::size_t damage_end, const char* damage) const {
  if (bytes_.find_first_not_of('\0', position_ + damage_end) == bytes_.npos) return std::nullopt;
  throw Error(
      "the record at byte {} of '{}' has {}; the file is damaged, move it away to go on without "
      "(metrics.jsonl has the same numbers)",
      position_, file_, damage);
}

}  // namespace npq
