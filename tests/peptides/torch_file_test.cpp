#include "npq/peptides/torch_file.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <cstring>

#include "tests/support/error_text.h"
#include "tests/support/golden_folder.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using npq::test::error_text;
using npq::test::file_content;
using npq::test::golden_file;
using npq::test::put_file;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string train_pt() { return file_content(golden_file("peptides/files/train.pt")); }

Featurised read(const std::string& bytes) {
  return read_featurised(std::as_bytes(std::span(bytes)), "f.pt");
}

TEST(TorchFile, EveryTruncationIsOneError) {
  const auto whole = train_pt();
  for (std::size_t size = 0; size < whole.size(); size += 997)
    EXPECT_THAT(error_text([&] { read(whole.substr(0, size)); }), HasSubstr("f.pt"));
}

TEST(TorchFile, AnyChangedByteOfTheNumbersIsNoticed) {
  // The archive keeps a CRC of every tensor.
  auto bytes = train_pt();
  bytes[2048 + 5] ^= 1;  // inside x of the first molecule
  EXPECT_THAT(error_text([&] { read(bytes); }), HasSubstr("does not match its checksum"));
}

/// train.pt with the first number of its entry data/K changed, under a CRC that fits. Entries are
/// stored as they are, so their bytes can be found.
std::string with_number(int entry, std::size_t place, std::int64_t number) {
  auto bytes = train_pt();
  const auto name = "train/data/" + std::to_string(entry);
  const auto header = bytes.find(name) - 30;
  const auto field = [&](std::size_t at) {
    return static_cast<unsigned char>(bytes[at]) | static_cast<unsigned char>(bytes[at + 1]) << 8;
  };
  const auto data = header + 30 + field(header + 26) + field(header + 28);
  const auto size = bytes.find("PK\x07\x08", data) - data;
  const auto crc = [&] {
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + data), size);
    return std::string(reinterpret_cast<const char*>(&sum), 4);
  };
  const auto before = crc();
  std::memcpy(bytes.data() + data + 8 * place, &number, sizeof number);
  const auto after = crc();
  for (auto at = bytes.find(before); at != bytes.npos; at = bytes.find(before, at + 4))
    bytes.replace(at, 4, after);
  return bytes;
}

TEST(TorchFile, NumbersThatNoTableOrMoleculeHasAreNamedWithTheirRow) {
  EXPECT_EQ(read(with_number(0, 0, 5)).graphs[0].atoms[0][0], 5);
  EXPECT_THAT(error_text([] { read(with_number(0, 0, 119)); }),
              HasSubstr("'f.pt', row 0: feature 0 of atom 0 is 119; expected 0 to 118"));
  EXPECT_THAT(error_text([] { read(with_number(0, 0, 256 + 5)); }), HasSubstr("x holds 261"));
  EXPECT_THAT(error_text([] { read(with_number(4, 1, -1)); }), HasSubstr("row 1: x holds -1"));
  EXPECT_THAT(error_text([] { read(with_number(2, 0, 60)); }),
              HasSubstr("edge 0 goes from 60 to"));  // the first molecule has 60 atoms
  EXPECT_THAT(error_text([] { read(with_number(2, 0, std::int64_t{1} << 32)); }),
              HasSubstr("edge_index names node 4294967296"));
}

TEST(TorchFile, APickleOfSomethingElseIsRefused) {
  EXPECT_THAT(error_text([&] { read("nonsense of more than twenty-two bytes"); }),
              HasSubstr("not a sound zip archive"));
}

TEST(FeaturisedSplits, AFolderOfThreeFilesIsADataSet) {
  const npq::test::TemporaryFolder folder;
  for (const auto* name : {"train.pt", "val.pt", "test.pt"}) put_file(folder / name, train_pt());
  const auto dataset = read_featurised_splits(folder.path());
  ASSERT_EQ(dataset.graphs.size(), 24u);
  EXPECT_EQ(dataset.split[Part::Val].front(), 8);
  EXPECT_EQ(dataset.split[Part::Test].back(), 23);
  // They come standardised and stay as they are.
  EXPECT_EQ(dataset.standardised(9), dataset.targets[9]);
  EXPECT_EQ(dataset.targets[9], dataset.targets[1]);
}

TEST(FeaturisedSplits, AMissingFileIsNamed) {
  const npq::test::TemporaryFolder folder;
  put_file(folder / "train.pt", train_pt());
  EXPECT_THAT(error_text([&] { read_featurised_splits(folder.path()); }), HasSubstr("val.pt"));
}

TEST(FeaturisedSplits, AnArchiveWithoutThemIsNamed) {
  EXPECT_THAT(error_text([] { read_featurised_splits(golden_file("peptides/files/train.pt")); }),
              AllOf(HasSubstr("holds no train.pt"), HasSubstr("as PyG publishes")));
}

}  // namespace
}  // namespace npq::peptides
