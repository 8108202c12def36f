#include "npq/base/formats/sha256.h"

#include <gtest/gtest.h>

#include <string_view>

namespace npq {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// The examples of FIPS 180-2, appendix B, and the well-known hash of nothing.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(bytes("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex(bytes("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, DoesNotDependOnHowTheBytesAreCutIntoPieces) {
  Sha256 hash;
  for (const char* piece : {"a", "", "bc"}) hash.update(bytes(piece));
  EXPECT_EQ(hash.hex_digest(), sha256_hex(bytes("abc")));
}

TEST(Sha256, StartsAgainAfterADigest) {
  Sha256 hash;
  hash.update(bytes("something else"));
  hash.hex_digest();
  hash.update(bytes("abc"));
  EXPECT_EQ(hash.hex_digest(), sha256_hex(bytes("abc")));
}

}  // namespace
}  // namespace npq
