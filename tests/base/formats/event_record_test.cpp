#include "npq/base/formats/event_record.h"

#include <gmock/gmock.h>

#include <limits>

#include "npq/base/formats/crc32c.h"
#include "tests/support/error_text.h"

namespace npq {
namespace {

using test::error_text;
using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "17 00 61" -> three bytes.
std::string bytes(const std::string& hex) {
  std::string result;
  for (std::size_t k = 0; k < hex.size(); k += 3) {
    result += static_cast<char>(std::stoi(hex.substr(k, 2), nullptr, 16));
  }
  return result;
}

std::string little_endian(std::uint64_t value, int count) {
  std::string result;
  for (; count > 0; --count, value >>= 8) result += static_cast<char>(value);
  return result;
}

// Wall time 1.5, step 3, a = 0.5, as TensorBoard 2.21 writes it.
const std::string kHead = bytes("17 00 00 00 00 00 00 00 e7 ce f8 1e");
const std::string kMessage =
    bytes("09 00 00 00 00 00 00 f8 3f 10 03 2a 0a 0a 08 0a 01 61 15 00 00 00 3f");
const std::string kRecord = kHead + kMessage + bytes("de 57 68 cd");

// The steps of the events that can be read.
std::vector<std::int64_t> steps(const std::string& file) {
  std::vector<std::int64_t> found;
  EventReader reader(file, "events");
  while (const auto event = reader.next()) found.push_back(event->step);
  return found;
}

std::string record(std::int64_t step) {
  return event_record({.step = step, .scalars = {{"a", 1}}});
}

// Any message with sound checksums around it.
std::string framed(const std::string& message) {
  const auto checksum = [](const std::string& covered) {
    const std::uint32_t plain = crc32c(covered);
    return little_endian((plain >> 15 | plain << 17) + 0xA282EAD8u, 4);
  };
  const auto length = little_endian(message.size(), 8);
  return length + checksum(length) + message + checksum(message);
}

TEST(EventRecord, IsLengthChecksumMessageChecksum) {
  EXPECT_EQ(event_record({.wall_time = 1.5, .step = 3, .scalars = {{"a", 0.5f}}}), kRecord);
  EXPECT_EQ(
      event_record({.wall_time = 1, .file_version = "brain.Event:2"}),
      bytes("18 00 00 00 00 00 00 00 a3 7f 4b 22 09 00 00 00 00 00 00 f0 3f 1a 0d 62 72 61 69 "
            "6e 2e 45 76 65 6e 74 3a 32 86 bf 57 7a"));
}

TEST(EventRecord, ComesBackAsItWasWritten) {
  const Event event{
      .wall_time = 1.7e9 + 0.125,
      .step = -1,
      .scalars = {{"", 0}, {"größe/pi", -2.5f}, {"a", std::numeric_limits<float>::infinity()}}};
  const auto file = event_record(event) + event_record({.step = 1LL << 62});
  EventReader reader(file, "events");
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->wall_time, event.wall_time);
  EXPECT_EQ(first->step, -1);
  EXPECT_THAT(first->scalars, ElementsAre(FieldsAre("", 0), FieldsAre("größe/pi", -2.5f),
                                          FieldsAre("a", std::numeric_limits<float>::infinity())));
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->step, 1LL << 62);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.position(), file.size());
}

TEST(EventRecord, HasTheSameSizeForTheSameStepAndTags) {
  const auto size = [](double time, float value) {
    return event_record({.wall_time = time, .step = 7, .scalars = {{"a", value}}}).size();
  };
  EXPECT_EQ(size(0, 0), size(1.7e9, 3.25f));
}

TEST(EventReader, EndsAtARecordThatIsTornAnywhere) {
  const auto whole = record(1) + record(2);
  const auto last = record(3);
  for (std::size_t cut = 0; cut < last.size(); ++cut) {
    const auto file = whole + last.substr(0, cut);
    EventReader reader(file, "events");
    while (reader.next()) {
    }
    EXPECT_EQ(reader.position(), whole.size()) << "cut " << cut;
  }
  EXPECT_THAT(steps(whole + last), ElementsAre(1, 2, 3));
}

TEST(EventReader, TakesZerosAtTheEndForWhatAPowerCutLeaves) {
  const auto last = record(2);
  for (std::size_t cut = 0; cut < last.size() - 4; ++cut) {
    const auto zeros = std::string(100, '\0');
    EXPECT_THAT(steps(record(1) + last.substr(0, cut) + zeros), ElementsAre(1)) << "cut " << cut;
  }
}

TEST(EventReader, RefusesAFlippedBitBeforeTheLastRecord) {
  for (std::size_t k = 0; k < kRecord.size(); ++k) {
    auto file = record(1) + kRecord + record(4);
    file[record(1).size() + k] ^= 16;
    EXPECT_THAT(error_text([&] { steps(file); }),
                HasSubstr("the record at byte 39 of 'events' has a " +
                          std::string(k < 12 ? "length" : "message") + " that does not agree"));
  }
}

TEST(EventReader, TakesAFlippedBitInTheLastRecordForATornOne) {
  for (std::size_t k = 12; k < kRecord.size(); ++k) {
    auto file = record(1) + kRecord;
    file[record(1).size() + k] ^= 16;
    EXPECT_THAT(steps(file), ElementsAre(1));
  }
}

TEST(EventReader, PassesOverFieldsItDoesNotKnow) {
  // Fields 9 (varint), 10 (8 bytes), 11 (text) and 12 (4 bytes); a value that is no scalar.
  const auto unknown = bytes("48 ff 01 51 01 02 03 04 05 06 07 08 5a 02 68 69 65 01 02 03 04");
  const auto picture = bytes("2a 07 0a 05 0a 01 62 22 00");
  const auto file = framed(unknown + kMessage + picture);
  EventReader reader(file, "events");
  const auto event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->step, 3);
  EXPECT_THAT(event->scalars, ElementsAre(FieldsAre("a", 0.5f)));
}

TEST(EventReader, RefusesMessagesThatBreakTheFormat) {
  const auto text = [](const std::string& message) {
    return error_text([&] { steps(framed(bytes(message))); });
  };
  EXPECT_EQ(framed(kMessage), kRecord);
  EXPECT_THAT(text("2a 05 0a"), HasSubstr("a field that ends beyond its message"));
  EXPECT_THAT(text("09 00 00"), HasSubstr("a field that ends beyond its message"));
  EXPECT_THAT(text("10"), HasSubstr("a field that ends beyond its message"));
  EXPECT_THAT(text("2a ff ff ff ff ff ff ff ff ff 01"), HasSubstr("ends beyond its message"));
  EXPECT_THAT(text("10 ff ff ff ff ff ff ff ff ff 02"), HasSubstr("more than 64 bits"));
  EXPECT_THAT(text("10 80 80 80 80 80 80 80 80 80 80"), HasSubstr("more than 64 bits"));
  EXPECT_THAT(text("00 01"), HasSubstr("a number that none can have"));
  EXPECT_THAT(text("13 01"), HasSubstr("a kind that is not in use"));
  EXPECT_THAT(text("15 00 00 00 00"), HasSubstr("a known field of another kind"));
  EXPECT_THAT(text("2a 05 0a 03 0a 01 ff"), HasSubstr("a text that is not UTF-8"));
  EXPECT_THAT(text("2a 05 0a 03 0a 01 ff"), HasSubstr("the record at byte 0 of 'events'"));
}

TEST(EventReader, RefusesALengthThatNoRecordHas) {
  const auto length = framed(std::string((1 << 20) + 1, '\0'));
  EXPECT_THAT(error_text([&] { steps(length); }), HasSubstr("has 1048577 bytes"));
  EXPECT_THAT(error_text([&] { steps(length.substr(0, 12)); }), HasSubstr("has 1048577 bytes"));
}

TEST(EventReader, FindsNothingInAnEmptyFile) { EXPECT_THAT(steps(""), IsEmpty()); }

}  // namespace
}  // namespace npq
