#include "tests/support/torch_batches.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

#include "npq/ops/stream.h"

namespace npq::test {

using clrs::Location;
using clrs::Probe;
using clrs::Stage;
using clrs::Type;

clrs::Spec spec_of_everything() {
  using enum Location;
  using enum Type;
  using clrs::hint, clrs::input, clrs::output;
  return {input("pos", Node, Scalar),
          input("node_mask", Node, Mask),
          input("source", Node, MaskOne),
          input("letter", Node, Categorical).of_classes(3),
          input("before", Node, Pointer),
          input("length", Edge, Scalar),
          input("adj", Edge, Mask),
          input("kind", Edge, Categorical).of_classes(2),
          input("via", Edge, Pointer),
          input("target", Graph, Scalar),
          input("flag", Graph, Mask),
          input("season", Graph, Categorical).of_classes(4),
          input("root", Graph, Pointer),
          hint("d", Node, Scalar),
          hint("mark", Node, Mask),
          hint("u", Node, MaskOne),
          hint("color", Node, Categorical).of_classes(3),
          hint("pi_h", Node, Pointer),
          hint("edge_d", Edge, Scalar),
          hint("edge_mark", Edge, Mask),
          hint("edge_color", Edge, Categorical).of_classes(3),
          hint("edge_pi_h", Edge, Pointer),
          hint("time", Graph, Scalar),
          hint("done", Graph, Mask),
          hint("phase", Graph, Categorical).of_classes(3),
          hint("head_h", Graph, Pointer),
          hint("order_h", Node, PermutationPointer),
          output("node_scalar", Node, Scalar),
          output("selected", Node, Mask),
          output("chosen", Node, MaskOne),
          output("node_class", Node, Categorical).of_classes(2),
          output("pi", Node, Pointer),
          output("edge_scalar", Edge, Scalar),
          output("in_tree", Edge, Mask),
          output("edge_class", Edge, Categorical).of_classes(2),
          output("edge_pi", Edge, Pointer),
          output("total", Graph, Scalar),
          output("found", Graph, Mask),
          output("graph_class", Graph, Categorical).of_classes(3),
          output("head", Graph, Pointer),
          output("order", Node, PermutationPointer),
          output("order_mask", Node, MaskOne)};
}

namespace {

/// Fills `row` with zeros and one 1.
void one_hot(double* row, std::int64_t size, ops::Stream& stream) {
  std::fill(row, row + size, 0.0);
  row[static_cast<std::int64_t>(stream.uniform() * static_cast<double>(size))] = 1;
}

/// Random values of one sample at one step.
void fill(const Probe& probe, std::int64_t nodes, double* values, std::int64_t count,
          ops::Stream& stream) {
  switch (probe.type) {
    case Type::Scalar:
      std::generate_n(values, count, [&] { return stream.uniform(); });
      return;
    case Type::Mask:
      std::generate_n(values, count, [&] { return stream.uniform() < 0.15; });
      return;
    case Type::Pointer:
    case Type::ShouldBePermutation:
      std::generate_n(values, count, [&] {
        return static_cast<double>(static_cast<int>(stream.uniform() * static_cast<double>(nodes)));
      });
      return;
    case Type::MaskOne:
      return one_hot(values, count, stream);
    case Type::Categorical:
      for (std::int64_t i = 0; i < count; i += probe.classes) {
        one_hot(values + i, probe.classes, stream);
      }
      return;
    case Type::PermutationPointer: {  // one cycle: everybody points to the next, from a random
                                      // start
      std::fill(values, values + count, 0.0);
      for (std::int64_t i = 0; i < nodes; ++i) values[i * nodes + (i + 1) % nodes] = 1;
      return;
    }
  }
}

at::Tensor node_axes_permuted(at::Tensor x, std::int64_t first, int axes, const at::Tensor& order) {
  for (int k = 0; k < axes; ++k) x = x.index_select(first + k, order);
  return x;
}

int node_axes(const Probe& probe) {
  return nn::place_axes(probe.location) + (probe.type == Type::PermutationPointer ? 1 : 0);
}

nn::TensorMap& values_of(model::TensorBatch& batch, Stage stage) {
  return stage == Stage::Input ? batch.inputs : stage == Stage::Hint ? batch.hints : batch.outputs;
}

}  // namespace

model::TensorBatch random_batch(const clrs::Spec& spec, std::int64_t nodes,
                                const std::vector<std::int64_t>& lengths, std::uint64_t seed) {
  const auto size = static_cast<std::int64_t>(lengths.size());
  const auto longest = *std::max_element(lengths.begin(), lengths.end());
  model::TensorBatch batch;
  batch.lengths = lengths;
  for (const auto& probe : spec) {
    ops::Stream stream(ops::derive_seed(seed, probe.name));
    auto shape = clrs::shape(probe, static_cast<int>(nodes));
    const auto count = clrs::elements(probe, static_cast<int>(nodes));
    shape.insert(shape.begin(), size);
    const auto steps = probe.stage == Stage::Hint ? longest : 1;
    if (probe.stage == Stage::Hint) shape.insert(shape.begin(), longest);
    auto value = at::empty(shape, at::kDouble).zero_();
    double* numbers = value.data_ptr<double>();
    for (std::int64_t t = 0; t < steps; ++t) {
      for (std::int64_t b = 0; b < size; ++b, numbers += count) {
        if (t < lengths[b]) fill(probe, nodes, numbers, count, stream);
      }
    }
    values_of(batch, probe.stage)[probe.name] = value;
  }
  return batch;
}

model::TensorBatch with_nodes_permuted(const clrs::Spec& spec, const model::TensorBatch& batch,
                                       const std::vector<std::int64_t>& order) {
  std::vector<double> renamed(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) renamed[order[k]] = static_cast<double>(k);
  const auto index = at::tensor(order, at::kLong);
  const auto names = at::tensor(renamed, at::kDouble);
  auto permuted = batch;
  for (const auto& probe : spec) {
    auto& value = values_of(permuted, probe.stage)[probe.name];
    value = node_axes_permuted(value, probe.stage == Stage::Hint ? 2 : 1, node_axes(probe), index);
    if (nn::is_pointer(probe.type)) {
      value = names.index_select(0, value.to(at::kLong).flatten()).reshape(value.sizes());
    }
  }
  return permuted;
}

at::Tensor logits_permuted(const Probe& probe, at::Tensor logits,
                           const std::vector<std::int64_t>& order) {
  const int choices = nn::is_pointer(probe.type) ? 1 : 0;  // a pointer's last axis is nodes too
  return node_axes_permuted(std::move(logits), 1, node_axes(probe) + choices,
                            at::tensor(order, at::kLong));
}

}  // namespace npq::test
