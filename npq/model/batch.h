#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "npq/clrs/dataset/batch.h"
#include "npq/nn/values.h"

namespace npq::model {

/// Samples side by side as tensors of one dtype; pointers are indices in that dtype, exact since
/// nodes are few.
struct TensorBatch {
  nn::TensorMap inputs;               // [B, ...]
  nn::TensorMap hints;                // [T, B, ...], zeros behind each sample's end
  nn::TensorMap outputs;              // [B, ...]
  std::vector<std::int64_t> lengths;  // [B], valid hint steps of each sample

  std::int64_t size() const { return static_cast<std::int64_t>(lengths.size()); }
  std::int64_t longest() const;
  std::int64_t nodes() const;
  at::ScalarType dtype() const;

  /// Samples first .. first + count - 1: views, nothing is copied.
  TensorBatch narrow(std::int64_t first, std::int64_t count) const;
};

TensorBatch to_tensors(const clrs::Batch& batch, at::ScalarType dtype);

/// Throws an Error that names the first value which the spec asks for and the batch has not, or not
/// in its shape.
/// An evaluation needs the first step's hints alone.
void check_batch(const clrs::Spec& spec, const TensorBatch& batch, bool evaluation);

}  // namespace npq::model
