#include "npq/base/formats/npz.h"

#include <gmock/gmock.h>

#include "npq/base/formats/npy.h"
#include "npq/base/formats/npz_writer.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::error_text;
using test::file_content;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Packing = NpzWriter::Packing;

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// An archive with one array 'a' = {1, 2, 3} of U8.
std::string small_archive(Packing packing = Packing::Stored) {
  const TemporaryFolder folder;
  NpzWriter writer(folder / "a.npz", packing);
  writer.add("a", Dtype::U8, {3}, as_bytes("\x01\x02\x03"));
  writer.commit();
  return file_content(folder / "a.npz");
}

// Reading all of this archive must fail; the text says why.
std::string refused_npz(const std::string& archive) {
  return error_text([&] {
    const auto file = NpzFile::from_bytes(as_bytes(archive), "x.npz");
    for (const auto& name : file.names()) file.read(name);
  });
}

// The archive with the bytes at a position replaced; positions from the end are negative.
std::string patched(std::string archive, std::ptrdiff_t position, const std::string& with) {
  const auto at = position < 0 ? archive.size() - static_cast<std::size_t>(-position)
                               : static_cast<std::size_t>(position);
  return archive.replace(at, with.size(), with);
}

// Where the parts of small_archive() lie: local header 30 bytes, name 5, zip64 field 20, array 128
// + 3, directory entry 46 + 5, end of directory 22.
constexpr std::ptrdiff_t kData = 30 + 5 + 20;
constexpr std::ptrdiff_t kDirectory = kData + 131;
constexpr std::ptrdiff_t kEnd = kDirectory + 51;

class NpzPacking : public ::testing::TestWithParam<Packing> {};
INSTANTIATE_TEST_SUITE_P(Both, NpzPacking, ::testing::Values(Packing::Stored, Packing::Deflated));

TEST_P(NpzPacking, WritesWhatTheReaderReads) {
  const TemporaryFolder folder;
  const std::vector<double> numbers{1, -2.5, 1e300, 0, 4, 5};
  NpzWriter writer(folder / "a.npz", GetParam());
  writer.begin_array("numbers", Dtype::F64, {2, 3});
  writer.append(std::as_bytes(std::span(numbers).first(1)));
  writer.append(std::as_bytes(std::span(numbers).subspan(1)));
  writer.add("none", Dtype::I32, {0, 7}, {});
  writer.add("scalar", Dtype::Bool, {}, as_bytes("\x01"));
  writer.commit();
  const auto file = NpzFile::open(folder / "a.npz");
  EXPECT_THAT(file.names(), ElementsAre("numbers", "none", "scalar"));
  EXPECT_EQ(file.read("numbers").values<double>(), numbers);
  EXPECT_THAT(file.read("numbers").shape, ElementsAre(2, 3));
  EXPECT_THAT(file.read("none").shape, ElementsAre(0, 7));
  EXPECT_THAT(file.read("none").bytes, IsEmpty());
  EXPECT_THAT(file.read("scalar").shape, IsEmpty());
  EXPECT_THAT(file.read("scalar").values<std::uint8_t>(), ElementsAre(1));
  EXPECT_FALSE(file.contains("numbers.npy"));
}

TEST_P(NpzPacking, KeepsArraysLargerThanAllBuffers) {
  const TemporaryFolder folder;
  std::vector<std::uint32_t> numbers(1'000'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i * i);
  NpzWriter writer(folder / "a.npz", GetParam());
  writer.add("squares", Dtype::U32, {1'000'000}, std::as_bytes(std::span(numbers)));
  writer.add("again", Dtype::U32, {1'000'000}, std::as_bytes(std::span(numbers)));
  writer.commit();
  const auto file = NpzFile::open(folder / "a.npz");
  EXPECT_EQ(file.read("squares").values<std::uint32_t>(), numbers);
  EXPECT_EQ(file.read("again").values<std::uint32_t>(), numbers);
}

TEST_P(NpzPacking, NoticesEveryDamagedBit) {
  const std::string archive = small_archive(GetParam());
  int unnoticed = 0;
  for (std::size_t i = 0; i < archive.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = archive;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      try {
        const auto file = NpzFile::from_bytes(as_bytes(damaged), "x.npz");
        const auto array = file.read("a");
        EXPECT_THAT(array.values<std::uint8_t>(), ElementsAre(1, 2, 3));
        ++unnoticed;
      } catch (const Error&) {
      }
    }
  }
  // What changes nothing: version (2 bytes), UTF-8 flag (1 bit), time and date (4 bytes) of the
  // local header; versions (4), flag, time and date (4), attributes (6) of the directory; what
  // deflate leaves of its last byte.
  const int harmless = 8 * (2 + 4) + 1 + 8 * (4 + 4 + 6) + 1;
  EXPECT_GE(unnoticed, harmless);
  EXPECT_LE(unnoticed, harmless + (GetParam() == Packing::Deflated ? 7 : 0));
}

TEST_P(NpzPacking, NoticesEveryCut) {
  const std::string archive = small_archive(GetParam());
  for (std::size_t size = 0; size < archive.size(); ++size) {
    EXPECT_THROW(NpzFile::from_bytes(as_bytes(archive).first(size), "x.npz"), Error) << size;
  }
}

TEST(Npz, NeedsZip64ForManyArraysAndReadsItBack) {
  const TemporaryFolder folder;
  NpzWriter writer(folder / "a.npz");
  for (int i = 0; i < 65'536; ++i) writer.add(std::to_string(i), Dtype::U8, {}, as_bytes("\x07"));
  writer.commit();
  const auto file = NpzFile::open(folder / "a.npz");
  ASSERT_EQ(file.names().size(), 65'536u);
  EXPECT_THAT(file.read("65535").values<std::uint8_t>(), ElementsAre(7));
}

TEST(Npz, WritesTheSameBytesForTheSameArrays) { EXPECT_EQ(small_archive(), small_archive()); }

TEST(Npz, LiesWhereTheTestsBelowExpectIt) {
  const std::string archive = small_archive();
  ASSERT_EQ(archive.size(), static_cast<std::size_t>(kEnd + 22));
  EXPECT_EQ(archive.substr(kDirectory, 4), "PK\x01\x02");
  EXPECT_EQ(archive.substr(kEnd, 4), "PK\x05\x06");
}

TEST(Npz, RefusesWhatIsNoArchive) {
  EXPECT_THAT(refused_npz(""), HasSubstr("it has only 0 bytes"));
  EXPECT_THAT(refused_npz(std::string(100, 'x')), HasSubstr("does not end with a zip directory"));
  EXPECT_THAT(refused_npz(small_archive() + "x"), HasSubstr("does not end with a zip directory"));
}

TEST(Npz, RefusesBytesBetweenTheParts) {
  const std::string archive = small_archive();
  EXPECT_THAT(refused_npz(std::string("x").append(archive)),
              HasSubstr("directory is not where it should be"));
  EXPECT_THAT(
      refused_npz(archive.substr(0, kDirectory) + "x" +
                  patched(archive, kEnd + 16, {char(kDirectory + 1), 0}).substr(kDirectory)),
      HasSubstr("bytes lie between its last entry and its directory"));
}

TEST(Npz, CountsItsEntries) {
  EXPECT_THAT(refused_npz(patched(patched(small_archive(), kEnd + 8, "\x02"), kEnd + 10, "\x02")),
              HasSubstr("it has 1 entries, but announces 2"));
}

TEST(Npz, RefusesEncryptedStreamedAndUnknownPacking) {
  EXPECT_THAT(refused_npz(patched(small_archive(), kDirectory + 8, "\x01")),
              HasSubstr("'a.npy' is encrypted or streamed (flags 0x801)"));
  EXPECT_THAT(refused_npz(patched(small_archive(), kDirectory + 8, "\x08")),
              HasSubstr("encrypted or streamed"));
  EXPECT_THAT(refused_npz(patched(small_archive(), kDirectory + 10, "\x0e")),
              HasSubstr("packed by method 14"));
}

TEST(Npz, RefusesHeadersThatDisagree) {
  EXPECT_THAT(refused_npz(patched(small_archive(), 30, "b")),
              HasSubstr("disagree about entry 'a.npy'"));
  EXPECT_THAT(refused_npz(patched(small_archive(), kDirectory + 24, "\x01")),
              HasSubstr("disagree about entry 'a.npy'"));
}

TEST(Npz, ChecksTheChecksum) {
  EXPECT_THAT(refused_npz(patched(small_archive(), kData + 130, "\x04")),
              HasSubstr("does not match its checksum"));
}

TEST(Npz, BelievesNoSizeThatDeflateCannotReach) {
  // 10 GB announced in both headers, where a few dozen bytes lie.
  std::string archive = small_archive(Packing::Deflated);
  const std::string huge("\x00\xe4\x0b\x54\x02\x00\x00\x00", 8);
  const auto directory = static_cast<std::ptrdiff_t>(archive.find("PK\x01\x02"));
  archive = patched(archive, 39, huge);
  archive = patched(archive, directory + 24, "\xff\xff\xff\xff");
  archive = patched(archive, directory + 30, std::string("\x0c\x00", 2));
  archive.insert(static_cast<std::size_t>(directory) + 51,
                 std::string("\x01\x00\x08\x00", 4) + huge);
  archive = patched(archive, -10, {char(51 + 12)});
  EXPECT_THAT(refused_npz(archive), HasSubstr("claims 10000000000 bytes from "));
}

TEST(Npz, RefusesANameThatComesTwice) {
  const TemporaryFolder folder;
  NpzWriter writer(folder / "a.npz");
  writer.add("a", Dtype::U8, {}, as_bytes("1"));
  EXPECT_THAT(error_text([&] { writer.add("a", Dtype::U8, {}, as_bytes("1")); }),
              HasSubstr("one of that name already"));
  writer.add("b", Dtype::U8, {}, as_bytes("2"));
  writer.commit();
  std::string archive = file_content(folder / "a.npz");
  for (auto at = archive.find("b.npy"); at != std::string::npos; at = archive.find("b.npy"))
    archive[at] = 'a';
  EXPECT_THAT(refused_npz(archive), HasSubstr("it names 'a.npy' twice"));
}

TEST(Npz, RefusesEntriesThatAreNoArrays) {
  std::string archive = small_archive();
  for (auto at = archive.find("a.npy"); at != std::string::npos; at = archive.find("a.npy"))
    archive.replace(at, 5, "a.txt");
  EXPECT_THAT(refused_npz(archive), HasSubstr("holds 'a.txt', which is not a .npy array"));
}

TEST(Npz, NamesTheNearestOfAMissingArray) {
  const std::string archive = small_archive();
  EXPECT_EQ(error_text([&] { NpzFile::from_bytes(as_bytes(archive), "x.npz").read("b"); }),
            "'x.npz' has no array 'b', the nearest is 'a'; it holds 1 arrays");
}

TEST(NpzWriter, LeavesNoFileWhereBytesAreMissingOrTooMany) {
  const TemporaryFolder folder;
  {
    NpzWriter writer(folder / "a.npz");
    writer.begin_array("a", Dtype::U16, {2});
    EXPECT_THAT(error_text([&] { writer.append(as_bytes("12345")); }),
                HasSubstr("1 bytes more than its shape holds"));
    EXPECT_THAT(error_text([&] { writer.commit(); }), HasSubstr("array 'a.npy' of"));
    EXPECT_THAT(error_text([&] { writer.begin_array("b", Dtype::U8, {}); }),
                HasSubstr("still lacks 4 bytes"));
  }
  EXPECT_EQ(test::entries_in(folder.path()), 0);
}

TEST(NpzWriter, RefusesWhatNumpyCannotRead) {
  const TemporaryFolder folder;
  NpzWriter writer(folder / "a.npz");
  EXPECT_THAT(error_text([&] { writer.begin_array(std::string("a\0", 2), Dtype::U8, {}); }),
              HasSubstr("contains a NUL"));
  EXPECT_THAT(error_text([&] { writer.begin_array("a", Dtype::BF16, {}); }),
              HasSubstr("numpy has no dtype for BF16"));
  EXPECT_THAT(error_text([&] { writer.begin_array("a", Dtype::U8, {-1}); }),
              HasSubstr("must not be negative"));
}

}  // namespace
}  // namespace npq
