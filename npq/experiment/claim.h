#pragma once
#include <filesystem>
#include <optional>

namespace npq::experiment {

/// The right to work on a run: a lock (flock) on the file ".claim" of its folder. Children inherit
/// the descriptor, so the run stays claimed while any of these processes lives, and the lock ends
/// with the last of them, however they end. It never has to be removed.
class Claim {
 public:
  /// Nothing if another process has it. The folder is made if it is missing.
  static std::optional<Claim> take(const std::filesystem::path& folder);
  /// Whether a process works on the run; for readers.
  static bool is_taken(const std::filesystem::path& folder);

  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&& other) noexcept;
  ~Claim();

  /// For a child to inherit.
  int descriptor() const { return descriptor_; }

 private:
  explicit Claim(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace npq::experiment
