#include "npq/experiment/claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "npq/base/files/atomic_file.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/file_to_write.h"
#include "npq/base/files/retry.h"

namespace npq::experiment {
namespace {

namespace fs = std::filesystem;

fs::path claim_file(const fs::path& folder) { return folder / ".claim"; }

}  // namespace

std::optional<Claim> Claim::take(const fs::path& folder) {
  make_folder(folder);
  const auto path = claim_file(folder);
  const int descriptor = open_to_write(path, O_RDWR);
  Claim claim(descriptor);
  if (retry([&] { return flock(descriptor, LOCK_EX | LOCK_NB); }) == 0) return claim;
  if (errno != EWOULDBLOCK) throw file_error("lock", path, errno);
  return std::nullopt;
}

bool Claim::is_taken(const fs::path& folder) {
  const int descriptor =
      retry([&] { return open(claim_file(folder).c_str(), O_RDONLY | O_CLOEXEC); });
  if (descriptor < 0) return false;
  // Shared, so that two who look do not see each other.
  const bool taken =
      retry([&] { return flock(descriptor, LOCK_SH | LOCK_NB); }) < 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return taken;
}

Claim::Claim(Claim&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Claim& Claim::operator=(Claim&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Claim::~Claim() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace npq::experiment
