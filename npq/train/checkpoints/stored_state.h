#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "npq/train/checkpoints/checkpoint.h"

namespace npq::train {

/// A state.safetensors that was read: untrusted, so everything is asked for by name and checked.
struct StoredState {
  std::filesystem::path path;
  LoadedTensors loaded;

  std::int64_t whole(const char* key) const;
  double real(const char* key) const;
  /// A number from 0 to `steps`, the end of a run whose length is the option `length`.
  std::int64_t count(const char* key, std::int64_t steps, const std::string& length) const;
  /// A tensor of this type and shape; an Error where there is none.
  at::Tensor tensor(const std::string& name, const at::Tensor& like) const;
};

}  // namespace npq::train
