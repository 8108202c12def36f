#pragma once
#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/formats/safetensors.h"
#include "npq/model/batch.h"
#include "npq/model/model.h"
#include "npq/model/options.h"

// Golden cases of whole networks: what a file holds is written in tests/golden/model/README.md.
namespace npq::test {

/// $NPQ_GOLDEN_DIR, or the project's own tests/golden.
std::filesystem::path golden_folder();
std::filesystem::path own_golden_folder();

/// All *.safetensors in a folder, by name.
std::vector<std::filesystem::path> golden_files(const std::filesystem::path& folder);

class GoldenNetwork {
 public:
  explicit GoldenNetwork(const std::filesystem::path& path);

  const SafetensorsFile& file() const { return file_; }
  const clrs::Spec& spec() const { return spec_; }
  const model::ModelOptions& options() const { return options_; }
  /// The memory's name in the metadata; "none" without.
  const std::string& memory() const { return memory_; }
  /// Whether the file is a course of training instead of one batch.
  bool trains() const { return trains_; }

  at::Tensor tensor(std::string_view name, at::ScalarType dtype = at::kDouble) const;
  /// `prefix` is "" for the batch of the file, "batch/3/" for one of several.
  model::TensorBatch batch(at::ScalarType dtype, const std::string& prefix = "") const;
  ops::ParameterStore parameters(at::ScalarType dtype) const;

 private:
  SafetensorsFile file_;
  clrs::Spec spec_;
  model::ModelOptions options_;
  std::string memory_;
  bool trains_ = false;
};

struct GoldenTolerances {
  double predictions, losses, gradients;  // relative to max(1, largest number of the tensor)
};

/// Everything that the README lists of one run, under its names without prefix; `steps` processor
/// steps.
nn::TensorMap everything(const model::Model& model, const ops::ParameterStore& store,
                         const model::TensorBatch& batch, std::int64_t steps);

/// Compares all results of the file that begin with `run`, each once; a result in the file that is
/// not computed is a failure. Returns how many were compared.
int compare_run(const GoldenNetwork& golden, const std::string& run, const nn::TensorMap& computed,
                const GoldenTolerances& tolerances);

/// Largest difference relative to max(1, largest |expected|); infinite if shapes differ or a
/// number is not finite.
double relative_difference(const at::Tensor& computed, const at::Tensor& expected);

}  // namespace npq::test
