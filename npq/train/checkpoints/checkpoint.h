#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "npq/base/formats/safetensors.h"
#include "npq/ops/parameter_store.h"
#include "npq/train/checkpoints/metadata.h"

namespace npq::train {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Tensors in a safetensors file, written atomically; the metadata get a format version and the
/// SHA-256 of the data.
void save_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                  Metadata metadata);

struct LoadedTensors {
  std::map<std::string, at::Tensor> tensors;
  Metadata metadata;
};

/// The same back. A file that is damaged (its checksum does not fit), of another format or version
/// is an Error.
LoadedTensors load_tensors(const std::filesystem::path& path);

/// Copies `loaded` into the parameters of the store: every one must be there in its shape, and no
/// other. `config` is what the file says about itself; an Error says in which option it differs
/// from this run.
void load_parameters(const std::filesystem::path& path, const ops::ParameterStore& store);

/// The parameters as they are now.
NamedTensors tensors_of(const ops::ParameterStore& store);

}  // namespace npq::train
