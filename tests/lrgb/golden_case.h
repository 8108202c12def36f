#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "npq/base/formats/safetensors.h"
#include "npq/lrgb/graphs.h"
#include "npq/ops/parameter_store.h"

// A golden network of tests/golden/lrgb; its README says what a file holds.
namespace npq::test {

struct PeptideCase {
  SafetensorsFile file;
  lrgb::ModelOptions options;
  std::vector<peptides::Graph> graphs;

  explicit PeptideCase(const std::filesystem::path& path);

  at::Tensor tensor(const std::string& name) const;  // F64
  lrgb::Graphs batch() const;
  ops::ParameterStore parameters(at::ScalarType dtype) const;
};

/// Our name of one of their parameters: "layer.0.to_queue.w" -> "layer/0/to_memory.w".
std::string own_name(const std::string& golden);

}  // namespace npq::test
