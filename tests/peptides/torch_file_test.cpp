#include "npq/peptides/torch_file.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/golden_folder.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using npq::testing::error_text;
using npq::testing::file_content;
using npq::testing::golden_file;
using npq::testing::put_file;
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

TEST(TorchFile, APickleOfSomethingElseIsRefused) {
  EXPECT_THAT(error_text([&] { read("nonsense of more than twenty-two bytes"); }),
              HasSubstr("not a sound zip archive"));
}

TEST(FeaturisedSplits, AFolderOfThreeFilesIsADataSet) {
  const npq::testing::TemporaryFolder folder;
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
  const npq::testing::TemporaryFolder folder;
  put_file(folder / "train.pt", train_pt());
  EXPECT_THAT(error_text([&] { read_featurised_splits(folder.path()); }), HasSubstr("val.pt"));
}

TEST(FeaturisedSplits, AnArchiveWithoutThemIsNamed) {
  EXPECT_THAT(error_text([] { read_featurised_splits(golden_file("peptides/files/train.pt")); }),
              AllOf(HasSubstr("holds no train.pt"), HasSubstr("as PyG publishes")));
}

}  // namespace
}  // namespace npq::peptides
