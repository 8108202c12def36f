#include <gtest/gtest.h>

#include "npq/base/formats/safetensors.h"
#include "tests/support/golden_folder.h"

namespace npq {
namespace {

TEST(SafetensorsGolden, EveryGoldenFileIsSound) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden_file(""))) {
    if (entry.path().extension() != ".safetensors") continue;
    ++files;
    EXPECT_FALSE(SafetensorsFile::open(entry.path()).tensors().empty()) << entry.path();
  }
  EXPECT_GE(files, 100);
}

}  // namespace
}  // namespace npq
