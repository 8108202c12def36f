#pragma once
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "npq/base/formats/safetensors.h"
#include "npq/memory/carried_state.h"
#include "npq/ops/parameter_store.h"
#include "npq/ops/stream.h"
#include "npq/random/random_state.h"

// What all tests of memories need: numbers, unrolls, golden files.
namespace npq::test {

using namespace npq::memory;  // these tests are about nothing else

/// Standard normal numbers.
inline at::Tensor numbers(std::vector<std::int64_t> shape, std::uint64_t seed) {
  random::RandomState random(static_cast<std::uint32_t>(seed));
  auto tensor = at::empty(shape, at::kDouble);
  double* values = tensor.data_ptr<double>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) values[i] = random.standard_normal();
  return tensor;
}

/// Fresh parameters whose biases are not 0, so that they matter.
inline ops::ParameterStore some_parameters(const Memory& memory, std::uint32_t seed) {
  const auto fresh = ops::initialise(memory.parameter_specs(), seed, at::kDouble);
  ops::ParameterStore parameters;
  for (const auto& [name, tensor] : fresh) {
    const auto noise = numbers(tensor.sizes().vec(), ops::derive_seed(seed, "noise/" + name)) * 0.2;
    parameters.add(name, tensor.detach() + noise);
  }
  return parameters;
}

/// The same numbers in another type.
inline ops::ParameterStore converted(const ops::ParameterStore& parameters, at::ScalarType dtype) {
  ops::ParameterStore copies;
  for (const auto& [name, tensor] : parameters) copies.add(name, tensor.detach().to(dtype));
  return copies;
}

/// Writes numbers into a parameter, past its gradient.
inline void put(const ops::ParameterStore& parameters, std::string_view name,
                const at::Tensor& values) {
  parameters.at(name).detach().copy_(values);
}

struct Run {
  std::vector<at::Tensor> messages;  // T times [B, N, Mw]
  std::vector<MemoryState> states;   // after each step
};

/// One processor call per step, z [T, B, N, Z].
inline Run unroll(const Memory& memory, const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryBatch& batch, Carry carry = Carry::All,
                  Ablation ablation = Ablation::None) {
  CarriedState carried(carry, memory.initial_state(batch), ablation);
  Run run;
  for (std::int64_t t = 0; t < z.size(0); ++t) {
    carried.begin_step(t);
    auto step = carried.step(memory, parameters, z.select(0, t));
    run.messages.push_back(step.messages);
    run.states.push_back(step.next_state);
  }
  return run;
}

/// Largest |a - b| relative to max(1, largest |b|); infinite for other shapes and for NaN.
inline double difference(const at::Tensor& computed, const at::Tensor& expected) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (computed.sizes() != expected.sizes()) return kWrong;
  if (expected.numel() == 0) return 0;
  const auto a = computed.detach().to(at::kDouble), b = expected.detach().to(at::kDouble);
  if (!a.isfinite().all().item<bool>()) return kWrong;
  return (a - b).abs().max().item<double>() / std::max(1.0, b.abs().max().item<double>());
}

inline at::Tensor gradient(const at::Tensor& leaf) {
  return leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf);
}

inline std::filesystem::path own_golden_folder() {
  return std::filesystem::path(NPQ_TESTS_DIR) / "golden";
}

/// $NPQ_GOLDEN_DIR, or the project's own tests/golden.
inline std::filesystem::path golden_folder() {
  const char* given = std::getenv("NPQ_GOLDEN_DIR");
  return given && *given ? std::filesystem::path(given) : own_golden_folder();
}

/// All *.safetensors in a folder, by name; none if there is no such folder.
inline std::vector<std::filesystem::path> golden_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline at::Tensor golden_tensor(const SafetensorsFile& file, const std::string& name,
                                at::ScalarType dtype = at::kDouble) {
  auto values = file.values<double>(name);
  return at::from_blob(values.data(), file.at(name).shape, at::kDouble).to(dtype, false, true);
}

/// All tensors that begin with `prefix` as parameters "memory/...".
inline ops::ParameterStore golden_parameters(const SafetensorsFile& file, const std::string& prefix,
                                             at::ScalarType dtype) {
  ops::ParameterStore parameters;
  for (const auto& info : file.tensors())
    if (info.name.starts_with(prefix))
      parameters.add("memory/" + info.name.substr(prefix.size()),
                     golden_tensor(file, info.name, dtype));
  return parameters;
}

}  // namespace npq::test
