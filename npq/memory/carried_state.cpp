#include "npq/memory/carried_state.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>

#include <utility>

#include "npq/base/error.h"

namespace npq::memory {
namespace {

/// The memory's parameters with f_M(x) = bias.
ops::ParameterStore deaf(const Memory& memory, const ops::ParameterStore& parameters) {
  const auto weight = memory.message_layer() + ".w";
  ops::ParameterStore changed;
  for (const auto& [name, value] : parameters)
    if (name.starts_with("memory/"))
      changed.add(name, name == weight ? at::zeros_like(value) : value);
  return changed;
}

/// Each graph has what the graph before it remembered; what describes the graph stays its own.
MemoryState exchanged(const MemoryState& state) {
  auto other = state;
  other.products.clear();
  for (auto& [name, tensor] : other.tensors) {
    if (describes_graph(name)) continue;
    if (tensor.size(0) < 2)
      throw UsageError(
          "'shuffle' gives a graph the memory of another one, and this batch holds one graph; ask "
          "for another number of samples or another --batch");
    tensor = tensor.roll(1, 0);
  }
  return other;
}

}  // namespace

CarriedState::CarriedState(Carry carry, MemoryState initial, Ablation ablation)
    : carry_(carry), ablation_(ablation), now_(std::move(initial)) {
  if (ablation == Ablation::Empty) initial_ = now_;
}

void CarriedState::begin_step(std::int64_t t) {
  first_step_ = t == 0;
  if (first_step_ || (carry_ == Carry::All && ablation_ != Ablation::Freeze)) return;
  if (t == 1) after_first_ = now_;
  now_ = after_first_;
}

MemoryStep CarriedState::step(const Memory& memory, const ops::ParameterStore& parameters,
                              const at::Tensor& z, Watch watch) {
  MemoryStep result;
  switch (ablation_) {
    case Ablation::None:
    case Ablation::Freeze:
      result = memory.step(parameters, z, now_, watch);
      break;
    case Ablation::Zero:
      result = memory.step(deaf(memory, parameters), z, now_, watch);
      break;
    case Ablation::Empty: {
      auto emptied = initial_;
      emptied.integers = now_.integers;  // the number of the step goes on
      result = memory.step(parameters, z, emptied, watch);
      break;
    }
    case Ablation::Shuffle:
      result = memory.step(parameters, z, now_, watch);
      result.messages = memory.step(parameters, z, exchanged(now_)).messages;
      break;
  }
  if (ablation_ != Ablation::Freeze || first_step_) now_ = result.next_state;
  return result;
}

CarriedState CarriedState::select(const at::Tensor& samples) const {
  auto chosen = *this;
  chosen.initial_ = initial_.select(samples);
  chosen.now_ = now_.select(samples);
  chosen.after_first_ = after_first_.select(samples);
  return chosen;
}

}  // namespace npq::memory
