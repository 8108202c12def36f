#include "npq/peptides/dataset.h"

#include <gmock/gmock.h>

#include <cmath>

#include "npq/base/formats/safetensors_writer.h"
#include "npq/base/formats/tensor_checksums.h"
#include "tests/peptides/made_up_dataset.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using npq::test::error_text;
using npq::test::made_up_dataset;
using ::testing::HasSubstr;

TEST(Dataset, StandardisesWithOneLessThanTheNumberOfRows) {
  Dataset dataset;
  dataset.targets.resize(3);
  for (int k = 0; k < 3; ++k) dataset.targets[k].fill(k);  // 0, 1, 2: mean 1, deviation 1
  standardise(dataset, "x");
  EXPECT_EQ(dataset.mean[5], 1);
  EXPECT_EQ(dataset.deviation[5], 1);
  EXPECT_EQ(dataset.standardised(2)[5], 1);
}

TEST(Dataset, ATargetThatNeverVariesIsNamed) {
  auto dataset = made_up_dataset();
  for (auto& row : dataset.targets) row[9] = 7;
  EXPECT_EQ(error_text([&] { standardise(dataset, "f"); }),
            "'f': column 'Spherocity' has the same number in all rows, so it cannot be "
            "standardised");
}

class DatasetFile : public ::testing::Test {
 protected:
  DatasetFile() { save_dataset(folder_.path(), made_up_dataset()); }

  /// Saves the tensors of the file again with one of them changed, under a checksum that fits.
  std::string error_after(const std::string& name,
                          const std::function<void(std::vector<std::byte>&)>& change) {
    std::vector<std::vector<std::byte>> kept;
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string> metadata;
    {
      const auto file = SafetensorsFile::open(dataset_file(folder_.path()));
      metadata = file.metadata();
      for (const auto& info : file.tensors()) {
        const auto bytes = file.bytes(info.name);
        kept.emplace_back(bytes.begin(), bytes.end());
        if (info.name == name) change(kept.back());
        tensors.push_back({info.name, info.dtype, info.shape, {}});
      }
    }
    TensorChecksums sums(metadata);
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      tensors[k].bytes = kept[k];
      sums.add(tensors[k].name, tensors[k].dtype, tensors[k].shape, tensors[k].bytes);
    }
    for (const auto& [key, sum] : sums.finish()) metadata[key] = sum;
    write_safetensors(dataset_file(folder_.path()), tensors, metadata);
    return error_text([&] { load_dataset(folder_.path()); });
  }
  template <class Number>
  std::string error_with(const std::string& name, std::size_t place, Number number) {
    return error_after(name, [&](std::vector<std::byte>& bytes) {
      std::memcpy(bytes.data() + place * sizeof number, &number, sizeof number);
    });
  }

  npq::test::TemporaryFolder folder_;
};

TEST_F(DatasetFile, HoldsEverything) {
  const auto wanted = made_up_dataset(), found = load_dataset(folder_.path());
  ASSERT_EQ(found.graphs.size(), wanted.graphs.size());
  for (std::size_t k = 0; k < wanted.graphs.size(); ++k) {
    EXPECT_EQ(found.graphs[k].atoms, wanted.graphs[k].atoms);
    EXPECT_EQ(found.graphs[k].edges, wanted.graphs[k].edges);
    EXPECT_EQ(found.graphs[k].bonds, wanted.graphs[k].bonds);
  }
  EXPECT_EQ(found.targets, wanted.targets);
  EXPECT_EQ(found.mean, wanted.mean);
  EXPECT_EQ(found.deviation, wanted.deviation);
  EXPECT_EQ(found.split.parts, wanted.split.parts);
  EXPECT_EQ(found.about, wanted.about);
  EXPECT_EQ(dataset_checksum(folder_.path()).size(), 64u);
}

TEST_F(DatasetFile, AnyChangedByteIsNoticed) {
  const auto path = dataset_file(folder_.path());
  const auto whole = npq::test::file_content(path);
  for (std::size_t at = 0; at < whole.size(); at += 37) {
    auto changed = whole;
    changed[at] ^= 0x10;
    npq::test::put_file(path, changed);
    EXPECT_NE(error_text([&] { load_dataset(folder_.path()); }), "") << at;
  }
}

TEST_F(DatasetFile, WhatItSaysIsCheckedEvenWhereItsChecksumFits) {
  EXPECT_THAT(error_with<std::uint8_t>("atoms", 0, 200), HasSubstr("feature 0 of atom 0 is 200"));
}

TEST_F(DatasetFile, AnEdgeToNowhereIsFound) {
  EXPECT_THAT(error_with<std::int32_t>("edges", 0, 9), HasSubstr("graph 1: edge 0 goes from 9"));
}

TEST_F(DatasetFile, OffsetsMustDivideTheGraphs) {
  EXPECT_THAT(error_with<std::int64_t>("node_begin", 1, 100),
              HasSubstr("'node_begin' does not divide it into 4 graphs"));
}

TEST_F(DatasetFile, ATargetMustBeANumber) {
  EXPECT_THAT(error_with<double>("targets", 3, std::nan("")),
              HasSubstr("a target that is not a number"));
}

TEST_F(DatasetFile, ADeviationOfZeroWouldDivideByIt) {
  EXPECT_THAT(error_with<double>("deviation", 3, 0), HasSubstr("a mean or deviation"));
}

TEST_F(DatasetFile, ASplitMustStayWithinTheGraphs) {
  EXPECT_THAT(error_with<std::int64_t>("val", 0, 4), HasSubstr("part 'val' names row 4"));
}

TEST_F(DatasetFile, AnotherKindOfFileIsToldApart) {
  write_safetensors(dataset_file(folder_.path()), {}, {{"format", "npq-1"}});
  EXPECT_THAT(error_text([&] { load_dataset(folder_.path()); }),
              HasSubstr("is not a data set of peptides (its format is 'npq-1'"));
}

}  // namespace
}  // namespace npq::peptides
