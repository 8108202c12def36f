#include "npq/model/batch.h"

#include <ATen/ops/from_blob.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "npq/base/error.h"

namespace npq::model {

using clrs::Stage;

namespace {

const nn::TensorMap& values_of(const TensorBatch& batch, Stage stage) {
  switch (stage) {
    case Stage::Input:
      return batch.inputs;
    case Stage::Hint:
      return batch.hints;
    case Stage::Output:
      return batch.outputs;
  }
  NPQ_ASSERT(false);
  return batch.inputs;
}

nn::TensorMap to_tensors(const std::vector<clrs::Array>& arrays, at::ScalarType dtype) {
  nn::TensorMap tensors;
  for (const auto& array : arrays) {
    // from_blob wants a pointer to non-const, but the copy made at once is all that ever looks at
    // it.
    auto* numbers = const_cast<double*>(array.values.data());
    tensors[array.probe.name] =
        at::from_blob(numbers, array.shape, at::kDouble).to(dtype, false, true);
  }
  return tensors;
}

/// An input with the nodes on axis 1. Every algorithm of the benchmark has `pos`; without it the
/// one with most axes is surest to live on nodes or edges, since graphs have at most classes.
const at::Tensor& input_on_nodes(const TensorBatch& batch) {
  if (const auto pos = batch.inputs.find("pos"); pos != batch.inputs.end()) return pos->second;
  const at::Tensor* best = nullptr;
  for (const auto& [name, value] : batch.inputs) {
    if (value.dim() > 1 && (!best || value.dim() > best->dim())) best = &value;
  }
  if (!best) throw Error("the batch has no input on nodes or edges; every algorithm has one");
  return *best;
}

}  // namespace

std::int64_t TensorBatch::longest() const {
  if (lengths.empty()) throw Error("the batch has no samples; give it at least one");
  return *std::max_element(lengths.begin(), lengths.end());
}

std::int64_t TensorBatch::nodes() const { return input_on_nodes(*this).size(1); }

at::ScalarType TensorBatch::dtype() const { return input_on_nodes(*this).scalar_type(); }

TensorBatch TensorBatch::narrow(std::int64_t first, std::int64_t count) const {
  TensorBatch part;
  for (const auto& [name, value] : inputs) part.inputs[name] = value.narrow(0, first, count);
  for (const auto& [name, value] : hints) part.hints[name] = value.narrow(1, first, count);
  for (const auto& [name, value] : outputs) part.outputs[name] = value.narrow(0, first, count);
  part.lengths.assign(lengths.begin() + first, lengths.begin() + first + count);
  return part;
}

TensorBatch to_tensors(const clrs::Batch& batch, at::ScalarType dtype) {
  TensorBatch tensors{to_tensors(batch.inputs, dtype),
                      to_tensors(batch.hints, dtype),
                      to_tensors(batch.outputs, dtype),
                      {}};
  for (const double length : batch.lengths) {
    tensors.lengths.push_back(static_cast<std::int64_t>(length));
  }
  return tensors;
}

void check_batch(const clrs::Spec& spec, const TensorBatch& batch, bool evaluation) {
  const auto nodes = batch.nodes();
  for (const auto& probe : spec) {
    const auto& value = nn::find_value(values_of(batch, probe.stage), probe);
    std::vector<std::int64_t> expected = clrs::shape(probe, static_cast<int>(nodes));
    expected.insert(expected.begin(), batch.size());
    if (probe.stage == Stage::Hint) {
      const auto steps = value.dim() > 0 ? value.size(0) : 0;
      expected.insert(expected.begin(), std::max(steps, evaluation ? 1 : batch.longest()));
    }
    if (value.sizes() != c10::IntArrayRef(expected)) {
      throw Error("{} '{}' has shape [{}], expected [{}] for {} samples of {} nodes",
                  clrs::name_of(probe.stage), probe.name, fmt::join(value.sizes(), ", "),
                  fmt::join(expected, ", "), batch.size(), nodes);
    }
    if (value.scalar_type() != batch.dtype()) {
      throw Error("{} '{}' is of another number type than the rest of the batch; convert it first",
                  clrs::name_of(probe.stage), probe.name);
    }
  }
}

}  // namespace npq::model
