// Any bytes are either events and perhaps a torn last one, or one npq::Error. A checksum stops most
// damage at the door, so the same bytes also go inside, as the message of a sound record.
#include <string_view>

#include "npq/base/error.h"
#include "npq/base/formats/crc32c.h"
#include "npq/base/formats/event_record.h"

namespace {

std::string little_endian(std::uint64_t value, int count) {
  std::string bytes;
  for (; count > 0; --count, value >>= 8) bytes += static_cast<char>(value);
  return bytes;
}

std::string checksum(std::string_view bytes) {
  const std::uint32_t plain = npq::crc32c(bytes);
  return little_endian((plain >> 15 | plain << 17) + 0xA282EAD8u, 4);
}

std::string framed(std::string_view message) {
  const auto length = little_endian(message.size(), 8);
  return length + checksum(length) + std::string(message) + checksum(message);
}

// What is read, written again and read again is the same.
void check(std::string_view file) {
  npq::EventReader reader(file, "fuzz");
  for (;;) {
    const auto begin = reader.position();
    const auto event = reader.next();
    if (!event) {
      NPQ_ASSERT(reader.position() == begin);
      return;
    }
    NPQ_ASSERT(reader.position() >= begin + 16 && reader.position() <= file.size());
    const auto record = npq::event_record(*event);
    npq::EventReader again(record, "again");
    const auto same = again.next();
    NPQ_ASSERT(same && again.position() == record.size());
    NPQ_ASSERT(npq::event_record(*same) == record);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto& file : {std::string(bytes), framed(bytes)}) {
    try {
      check(file);
    } catch (const npq::Error&) {
    }
  }
  return 0;
}
