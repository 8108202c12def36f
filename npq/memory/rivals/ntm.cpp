#include "npq/memory/rivals/ntm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros.h>

#include "npq/memory/nodes.h"
#include "npq/memory/slots.h"

namespace npq::memory {
namespace {

/// softmax_j(b cos(k, M_j)): k [B, Q, F], b [B, Q, 1], tape [B, S, F] -> [B, Q, S].
at::Tensor by_content(const at::Tensor& key, const at::Tensor& sharpness, const at::Tensor& tape) {
  const auto length = [](const at::Tensor& x) { return x.norm(2, {-1}, /*keepdim=*/true); };
  const auto dot = key.matmul(tape.transpose(1, 2));
  const auto lengths = length(key) * length(tape).transpose(1, 2);
  return (sharpness * dot / (lengths + 1e-6)).softmax(-1);
}

at::Tensor at_least_one(const at::Tensor& x) { return 1 + at::softplus(x); }

}  // namespace

Ntm::Ntm(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width)
    : options_(options),
      z_width_(z_width),
      message_width_(message_width),
      width_(options.width_for(z_width)) {}

ops::ParameterSpecs Ntm::parameter_specs() const {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "memory/read_key", z_width_, width_);
  ops::add_linear(specs, "memory/read_strength", z_width_, 1);
  ops::add_linear(specs, "memory/controller", z_width_, width_);
  ops::add_linear(specs, "memory/write_key", width_, width_);
  ops::add_linear(specs, "memory/write_strength", width_, 1);
  ops::add_linear(specs, "memory/gate", width_, 1);
  ops::add_linear(specs, "memory/shift", width_, 3);
  ops::add_linear(specs, "memory/sharpen", width_, 1);
  ops::add_linear(specs, "memory/erase", width_, width_);
  ops::add_linear(specs, "memory/add", width_, width_);
  ops::add_linear(specs, "memory/m", width_, message_width_);
  return specs;
}

MemoryState Ntm::initial_state(const MemoryBatch& batch) const {
  const std::int64_t slots = options_.slots_for(batch.steps);
  MemoryState state;
  const auto at_cell_0 = marks(at::zeros({batch.batch}, at::kLong), slots).to(batch.dtype);
  state.tensors = {{"tape", at::full({batch.batch, slots, width_}, 1e-6, batch.dtype)},
                   {"head", at_cell_0}};
  remember_nodes(state, batch);
  return state;
}

MemoryStep Ntm::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                     const MemoryState& state, Watch watch) const {
  const auto& tape = state.tensor("tape");
  const auto layer = [&](const char* name, const at::Tensor& x) {
    return ops::linear(parameters, std::string("memory/") + name, x);
  };
  const auto attention =
      by_content(layer("read_key", z).tanh(), at_least_one(layer("read_strength", z)), tape);

  const auto p = pooled_linear(parameters, "memory/controller", z, state, Pool::Mean);  // [B, F]
  const auto found = by_content(layer("write_key", p).unsqueeze(1),
                                at_least_one(layer("write_strength", p)).unsqueeze(1), tape)
                         .squeeze(1);  // [B, S]
  const auto gate = layer("gate", p).sigmoid();
  const auto gated = gate * found + (1 - gate) * state.tensor("head");
  const auto shift = layer("shift", p).softmax(-1).unsqueeze(-1);  // [B, 3, 1]: back, stay, on
  const auto shifted = shift.select(1, 0) * gated.roll(-1, 1) + shift.select(1, 1) * gated +
                       shift.select(1, 2) * gated.roll(1, 1);
  // x^y / sum x^y, in logarithms: tiny weights to a high power would leave 0/0.
  const auto head =
      (at_least_one(layer("sharpen", p)) * shifted.clamp_min(1e-30).log()).softmax(-1);

  const auto weight = head.unsqueeze(-1);  // [B, S, 1]
  const auto erase = layer("erase", p).sigmoid().unsqueeze(1);
  const auto add = layer("add", p).tanh();

  MemoryStep result;
  result.messages = layer("m", attention.matmul(tape));
  result.next_state = state;
  result.next_state.set("tape", tape * (1 - weight * erase) + weight * add.unsqueeze(1));
  result.next_state.set("head", head);
  if (watch != Watch::Nothing) result.health.saturated = saturated_share(add);
  if (watch == Watch::Everything) result.seen = {{"attention", attention}, {"pushed_value", add}};
  return result;
}

}  // namespace npq::memory
