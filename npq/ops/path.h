#pragma once
#include <ATen/core/Tensor.h>

namespace npq::ops {

/// Fused kernels where the numbers allow it, or the readable composition of torch operations
/// everywhere: the truth that the kernels are compared with.
enum class Path { Fused, Composed };

/// Sets the path of the whole process while it lives: `--path`, and tests that compare both.
class ScopedPath {
 public:
  explicit ScopedPath(Path path);
  ~ScopedPath();
  ScopedPath(const ScopedPath&) = delete;
  ScopedPath& operator=(const ScopedPath&) = delete;

 private:
  Path previous_;
};

/// Whether numbers like these go through fused kernels now.
bool goes_fused(const at::Tensor& numbers);

}  // namespace npq::ops
