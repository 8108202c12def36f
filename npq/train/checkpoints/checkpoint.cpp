#include "npq/train/checkpoints/checkpoint.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/ranges.h>

#include <cstring>

#include "npq/base/error.h"
#include "npq/base/formats/safetensors_writer.h"
#include "npq/base/formats/tensor_checksums.h"

namespace npq::train {
namespace {

constexpr const char* kFormat = "npq-1";

Dtype dtype_of(const at::Tensor& tensor) {
  if (tensor.scalar_type() == at::kFloat) return Dtype::F32;
  if (tensor.scalar_type() == at::kDouble) return Dtype::F64;
  NPQ_ASSERT(tensor.scalar_type() == at::kLong);
  return Dtype::I64;
}

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.data_ptr()),
          static_cast<std::size_t>(tensor.nbytes())};
}

at::Tensor read_tensor(const SafetensorsFile& file, const TensorInfo& info) {
  const auto type = info.dtype == Dtype::F32   ? at::kFloat
                    : info.dtype == Dtype::F64 ? at::kDouble
                    : info.dtype == Dtype::I64
                        ? at::kLong
                        : throw Error("'{}': tensor '{}' is {}; expected F32, F64 or I64",
                                      file.name(), info.name, dtype_name(info.dtype));
  auto tensor = at::empty(info.shape, type);
  const auto bytes = file.bytes(info.name);
  if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

}  // namespace

void save_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                  Metadata metadata) {
  std::vector<at::Tensor> kept;  // contiguous, alive until written
  std::vector<NamedTensor> named;
  metadata["format"] = kFormat;
  TensorChecksums sums(metadata);
  for (const auto& [name, tensor] : tensors) {
    kept.push_back(tensor.detach().contiguous());
    named.push_back(
        {name, dtype_of(kept.back()), kept.back().sizes().vec(), bytes_of(kept.back())});
    sums.add(name, named.back().dtype, named.back().shape, named.back().bytes);
  }
  for (auto& [key, sum] : sums.finish()) metadata[key] = sum;
  write_safetensors(path, named, std::move(metadata));
}

LoadedTensors load_tensors(const std::filesystem::path& path) {
  const auto file = SafetensorsFile::open(path);
  LoadedTensors loaded{.tensors = {}, .metadata = file.metadata()};
  const auto text = [&](const char* key) {
    const auto found = loaded.metadata.find(key);
    return found == loaded.metadata.end() ? std::string() : found->second;
  };
  if (text("format") != kFormat)
    throw Error("'{}' is not a file of this program (its format is '{}'; expected '{}')",
                path.string(), text("format"), kFormat);
  TensorChecksums sums(loaded.metadata);
  for (const auto& info : file.tensors()) {
    sums.add(info.name, info.dtype, info.shape, file.bytes(info.name));
    loaded.tensors[info.name] = read_tensor(file, info);
  }
  for (const auto& [key, sum] : sums.finish())
    if (sum != text(key.c_str()))
      throw Error("'{}' is damaged: it does not have the checksum it states; use another copy",
                  path.string());
  return loaded;
}

void load_parameters(const std::filesystem::path& path, const ops::ParameterStore& store) {
  const auto loaded = load_tensors(path);
  const at::NoGradGuard no_grad;
  for (const auto& entry : store) {
    const auto found = loaded.tensors.find(entry.name);
    if (found == loaded.tensors.end())
      throw Error("'{}' has no parameter '{}', which this model needs; it belongs to another model",
                  path.string(), entry.name);
    if (found->second.sizes() != entry.value.sizes())
      throw Error(
          "'{}': parameter '{}' has shape [{}], but this model needs [{}]; it was trained with "
          "other sizes",
          path.string(), entry.name, fmt::join(found->second.sizes(), ", "),
          fmt::join(entry.value.sizes(), ", "));
  }
  // An imported checkpoint brings its optimiser's state along.
  if (loaded.tensors.size() != store.size())
    for (const auto& [name, tensor] : loaded.tensors)
      if (!store.contains(name) && !name.starts_with("adam/"))
        throw Error("'{}' holds '{}', which this model does not have; it belongs to another model",
                    path.string(), name);
  for (const auto& entry : store) entry.value.detach().copy_(loaded.tensors.at(entry.name));
}

NamedTensors tensors_of(const ops::ParameterStore& store) {
  NamedTensors tensors;
  for (const auto& entry : store) tensors.emplace_back(entry.name, entry.value.detach());
  return tensors;
}

}  // namespace npq::train
