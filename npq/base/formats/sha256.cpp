#include "npq/base/formats/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "npq/base/error.h"

namespace npq {
namespace {

void start(EVP_MD_CTX* context) {
  // Fails only if a system policy forbids the algorithm or memory is gone; neither may go
  // unnoticed.
  if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1) {
    throw Error("OpenSSL does not offer SHA-256 on this machine; check its configuration");
  }
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) { start(context_.get()); }

void Sha256::update(std::span<const std::byte> bytes) {
  NPQ_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex_digest() {
  std::array<unsigned char, 32> digest;
  NPQ_ASSERT(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
  start(context_.get());
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex_digest();
}

}  // namespace npq
