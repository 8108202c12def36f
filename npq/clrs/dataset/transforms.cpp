#include "npq/clrs/dataset/transforms.h"

#include <algorithm>
#include <utility>

#include "npq/base/error.h"

namespace npq::clrs {
namespace {

Probe pred_input() { return input("pred", Location::Node, Type::Pointer).as_float64(); }

Probe mask_of(const Probe& permutation) {
  return output(permutation.name + "_mask", Location::Node, Type::MaskOne);
}

bool is_constant_pred(const Probe& probe) { return probe.name == "pred_h" && probe.constant; }

}  // namespace

void randomize_positions(Batch& batch, random::RandomState& random) {
  const auto pos = std::find_if(batch.inputs.begin(), batch.inputs.end(),
                                [](const Array& array) { return array.probe.name == "pos"; });
  NPQ_ASSERT(pos != batch.inputs.end());
  const std::int64_t nodes = pos->shape[1];
  std::vector<double> drawn = random.uniform(0, 1, pos->values.size());
  for (std::int64_t b = 0; b < batch.size(); ++b) {
    const auto old = pos->values.begin() + b * nodes;
    const auto row = drawn.begin() + b * nodes;
    for (std::int64_t begin = 0; begin < nodes;) {  // a segment starts where the old position is 0
      std::int64_t end = begin + 1;
      while (end < nodes && old[end] != 0) ++end;
      std::sort(row + begin, row + end);
      begin = end;
    }
  }
  pos->values = std::move(drawn);
}

void pred_as_input(Batch& batch) {
  const auto hint = std::find_if(batch.hints.begin(), batch.hints.end(),
                                 [](const Array& array) { return is_constant_pred(array.probe); });
  if (hint == batch.hints.end()) return;
  Array pred{.probe = pred_input(), .shape = {hint->shape.begin() + 1, hint->shape.end()}};
  pred.values.assign(hint->values.begin(), hint->values.begin() + hint->shape[1] * hint->shape[2]);
  batch.inputs.push_back(std::move(pred));
  batch.hints.erase(hint);
}

Spec pred_as_input(const Spec& spec) {
  Spec changed = spec;
  for (auto& probe : changed)
    if (is_constant_pred(probe)) probe = pred_input();
  return changed;
}

void relax_permutations(Batch& batch) {
  for (auto& array : batch.outputs)
    if (array.probe.type == Type::ShouldBePermutation) array.probe.type = Type::Pointer;
}

Spec relax_permutations(const Spec& spec) {
  Spec changed = spec;
  for (auto& probe : changed)
    if (probe.type == Type::ShouldBePermutation) probe.type = Type::Pointer;
  return changed;
}

void enforce_permutations(Batch& batch) {
  std::vector<Array> outputs;
  for (auto& array : batch.outputs) {
    if (array.probe.type != Type::ShouldBePermutation) {
      outputs.push_back(std::move(array));
      continue;
    }
    const std::int64_t size = array.shape[0], nodes = array.shape[1];
    Array matrix{.probe = array.probe, .shape = {size, nodes, nodes}};
    matrix.probe.type = Type::PermutationPointer;
    matrix.probe.number = Number::Float64;
    matrix.values.resize(size * nodes * nodes);
    Array mask{.probe = mask_of(array.probe), .shape = {size, nodes}};
    mask.values.resize(size * nodes);
    for (std::int64_t b = 0; b < size; ++b) {
      const double* pred = array.values.data() + b * nodes;
      std::vector<int> pointed_at(nodes);
      std::int64_t first = 0;
      while (first < nodes && pred[first] != first) ++first;
      if (first == nodes)
        throw Error("'{}' is not a chain of predecessors: no node points to itself",
                    array.probe.name);
      for (std::int64_t i = 0; i < nodes; ++i) ++pointed_at[static_cast<std::size_t>(pred[i])];
      const auto last = std::min_element(pointed_at.begin(), pointed_at.end()) - pointed_at.begin();
      for (std::int64_t i = 0; i < nodes; ++i) {
        const auto target = i == first ? last : static_cast<std::int64_t>(pred[i]);
        matrix.values[(b * nodes + i) * nodes + target] = 1;
      }
      mask.values[b * nodes + first] = 1;
    }
    outputs.push_back(std::move(matrix));
    outputs.push_back(std::move(mask));
  }
  batch.outputs = std::move(outputs);
}

Spec enforce_permutations(const Spec& spec) {
  Spec changed;
  for (const auto& probe : spec) {
    changed.push_back(probe);
    if (probe.type != Type::ShouldBePermutation) continue;
    changed.back().type = Type::PermutationPointer;
    changed.back().number = Number::Float64;
    changed.push_back(mask_of(probe));
  }
  return changed;
}

}  // namespace npq::clrs
