#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace npq::train {

struct FloatArray {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// Arrays under Haiku's names: module path, then leaf ("w", "b", "scale", "offset").
using HaikuArrays = std::map<std::string, std::map<std::string, FloatArray>>;

/// What the public benchmark's training script saves: parameters, and Adam's state where there is
/// one.
struct HaikuPickle {
  struct Adam {
    std::int64_t updates = 0;
    HaikuArrays m, v;
  };
  HaikuArrays parameters;
  std::optional<Adam> adam;
};

/// Reads such a pickle as inert data: nothing in it is run. A file that names anything but arrays
/// and Optax's states, or is not such a checkpoint, is an Error.
HaikuPickle read_haiku_pickle(const std::filesystem::path& path);
/// The same from bytes; `name` stands for the file in messages.
HaikuPickle read_haiku_pickle(std::span<const std::byte> bytes, const std::string& name);

}  // namespace npq::train
