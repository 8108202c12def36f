#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX; its headers stay in the .cpp

namespace npq {

/// SHA-256 of bytes that arrive in pieces: how data splits are compared with published hashes.
class Sha256 {
 public:
  Sha256();

  void update(std::span<const std::byte> bytes);

  /// 64 lower-case hex digits of all bytes so far; afterwards the object starts again from nothing.
  std::string hex_digest();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace npq
