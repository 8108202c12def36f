#include "npq/base/formats/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace npq {
namespace {

TEST(Crc32c, AgreesWithTheExamplesOfRfc3720) {
  std::string rising, falling;
  for (char c = 0; c < 32; ++c) rising += c, falling += static_cast<char>(31 - c);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  EXPECT_EQ(crc32c(rising), 0x46DD794Eu);
  EXPECT_EQ(crc32c(falling), 0x113FDB5Cu);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(""), 0u);
}

}  // namespace
}  // namespace npq
