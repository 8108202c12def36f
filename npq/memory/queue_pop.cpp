#include "npq/memory/queue_pop.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>

#include "npq/kernels/constants.h"
#include "npq/memory/nodes.h"
#include "npq/memory/priority_queue.h"
#include "npq/memory/slots.h"
#include "npq/ops/queue/queue_op.h"

namespace npq::memory {
namespace {

using Q = PriorityQueueOptions;

/// D2: the published code hides empty slots from the first softmax by lowering their logits and
/// does not hide them from the others.
at::Tensor second_softmax(const Q& options, const at::Tensor& logits, const at::Tensor& occupied) {
  return options.mask_second_softmax ? masked_softmax(logits, occupied) : logits.softmax(-1);
}

at::Tensor first_softmax(const Q& options, const at::Tensor& logits, const at::Tensor& occupied) {
  if (options.mask_second_softmax) return masked_softmax(logits, occupied);
  return (logits - occupied.logical_not().to(logits.scalar_type()) * kernels::kExcluded)
      .softmax(-1);
}

/// c of every node for itself.                                                       [eq. 18-20]
at::Tensor node_attention(const Q& options, const ops::ParameterStore& parameters,
                          const at::Tensor& z, const at::Tensor& v, const at::Tensor& occupied) {
  const auto asked = ops::linear(parameters, "memory/a1", z).unsqueeze(-1);  // [B,N,K,1]
  const auto held =
      ops::linear(parameters, "memory/a2", v).transpose(1, 2).unsqueeze(1);  // [B,1,K,S]
  const auto logits = at::leaky_relu(asked + held, kernels::kLeak);          // [B,N,K,S]
  if (options.attention == Q::Attention::Single)
    return first_softmax(options, logits.sum(2), occupied.unsqueeze(1));
  const auto heads = first_softmax(options, logits, occupied.unsqueeze(1).unsqueeze(1));
  if (options.heads == 1 && options.single_head_skip) return heads.squeeze(2);  // D9
  const auto combined =
      (heads * parameters.at("memory/a.w")).sum(2) + parameters.at("memory/a.b");  // [B,N,S]
  return second_softmax(options, combined, occupied.unsqueeze(1));
}

at::Tensor attention(const Q& options, const ops::ParameterStore& parameters, const at::Tensor& z,
                     const MemoryState& state, const at::Tensor& occupied) {
  const auto each = node_attention(options, parameters, z, state.tensor("v"), occupied);
  if (options.reader == Q::Reader::Node) return each;
  const auto together = without_padding(each, state).sum(1);  // [B,S]                 [eq. 126]
  return second_softmax(options, together, occupied).unsqueeze(1).expand_as(each);
}

/// How a request of 1 spreads over the slots.
at::Tensor spread(const Q& options, const at::Tensor& c, const at::Tensor& occupied) {
  if (options.read == Q::Read::Weighted) return c;
  auto best = marks(first_argmax(c), c.size(-1));
  if (options.mask_second_softmax) best = best.logical_and(occupied.unsqueeze(1));
  const auto one_hot = best.to(c.scalar_type());
  // The choice of the best passes no gradient to the attention (D17); straight through it gets that
  // of the weighted request.
  return options.straight_through ? one_hot + (c - c.detach()) : one_hot;
}

/// s_pop, [B, N] or [B, 1].                                                       [eq. 14, 125]
at::Tensor pop_strength(const Q& options, const ops::ParameterStore& parameters,
                        const at::Tensor& z, const MemoryState& state) {
  if (options.pop_strength == Q::PopStrength::SoftmaxSum) {  // D5
    const auto x = ops::linear(parameters, "memory/s_pop", z).squeeze(-1);
    const auto real = real_nodes(state);
    if (!real.defined()) return x.softmax(-1) * x.sum(-1, /*keepdim=*/true);
    const auto mask = real.squeeze(-1);
    return masked_softmax(x, mask.gt(0)) * (x * mask).sum(-1, /*keepdim=*/true);
  }
  if (options.reader == Q::Reader::Node)
    return ops::linear(parameters, "memory/s_pop", z).squeeze(-1).sigmoid();
  return pooled_linear(parameters, "memory/s_pop", z, state, options.push_pool).sigmoid();
}

bool asks_for_the_mean(const Q& options) {
  return options.pop_budget == Q::PopBudget::Graph || options.message_size == Q::MessageSize::Unit;
}

/// What all nodes together ask for at most, with PopBudget::Graph, is 1. MessageSize::Unit puts
/// that right again (unit_size).
at::Tensor budgeted_strength(const Q& options, const ops::ParameterStore& parameters,
                             const at::Tensor& z, const MemoryState& state) {
  const auto strength = pop_strength(options, parameters, z, state);
  return asks_for_the_mean(options) ? strength / node_count(z, state, 2) : strength;
}

/// The same, and padding asks for nothing.
at::Tensor asked_strength(const Q& options, const ops::ParameterStore& parameters,
                          const at::Tensor& z, const MemoryState& state) {
  const auto strength = budgeted_strength(options, parameters, z, state);
  const auto real = real_nodes(state);
  return real.defined() ? strength * real.squeeze(-1) : strength;
}

/// q from p: a slot gives away at most what it holds, in proportion to what was asked.   [eq. 15]
at::Tensor grant(const Q& options, const at::Tensor& request, const at::Tensor& total,
                 const at::Tensor& s) {
  if (options.grant == Q::Grant::Epsilon)  // D7
    return request * (at::minimum(s, total) / (total + kernels::kGrantEpsilon)).unsqueeze(1);
  // An unasked slot has total 0: divide by a safe number where the quotient is not used.
  const auto short_of = total.gt(s);
  const auto one = at::ones_like(total);
  const auto scale = at::where(short_of, s / at::where(short_of, total, one), one);
  return request * scale.unsqueeze(1);
}

/// MessageSize::Unit: an N-th was asked for; a node gets it N times. Each budget drains what it
/// drains with Share.
void make_unit_size(const Q& options, const at::Tensor& z, const MemoryState& state,
                    Popped& popped) {
  if (options.pop == Q::Pop::Keep || options.message_size == Q::MessageSize::Share) return;
  const auto each = node_count(z, state, 3), all = node_count(z, state, 2);
  popped.value = popped.value * each;
  if (popped.grant.defined()) popped.grant = popped.grant * each;
  if (options.pop_budget == Q::PopBudget::Graph) return;
  popped.total = popped.total * all;
  if (popped.request.defined()) popped.request = popped.request * each;
}

}  // namespace

Popped pop(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
           const at::Tensor& z, const MemoryState& state) {
  const auto occupied = PriorityQueue::occupied(state);
  Popped popped;
  popped.attention = attention(options, parameters, z, state, occupied);
  const auto spread_over_slots = spread(options, popped.attention, occupied);
  if (options.pop == Q::Pop::Keep) {
    popped.grant = spread_over_slots;
  } else {
    const auto strength = budgeted_strength(options, parameters, z, state);
    popped.request = without_padding(strength.unsqueeze(-1) * spread_over_slots, state);
    popped.total = popped.request.sum(1);
    popped.grant = grant(options, popped.request, popped.total, state.tensor("s"));
  }
  popped.value = popped.grant.matmul(state.tensor("v"));
  make_unit_size(options, z, state, popped);
  popped.message = ops::linear(parameters, "memory/m", popped.value);
  return popped;
}

Popped fused_pop(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
                 const at::Tensor& z, const MemoryState& state) {
  const ops::Linear f_m(parameters, "memory/m"), f_a2(parameters, "memory/a2");
  const auto real = real_nodes(state);
  const bool keep = options.pop == Q::Pop::Keep;
  const bool heads_alone = options.heads == 1 && options.single_head_skip;
  const auto got = ops::fused_pop(
      {.choices = {.read = options.read,
                   .reader = options.reader,
                   .pop = options.pop,
                   .grant = options.grant,
                   .mask_second_softmax = options.mask_second_softmax,
                   .single_head_skip = heads_alone,
                   .straight_through = options.straight_through},
       .asked = ops::linear(parameters, "memory/a1", z),
       .held = state.product(f_a2.weight) + f_a2.bias,
       .combine = heads_alone ? at::Tensor() : parameters.at("memory/a.w"),
       .strength = keep ? at::Tensor() : asked_strength(options, parameters, z, state),
       .s = keep ? at::Tensor() : state.tensor("s"),
       .v = state.product(f_m.weight),
       .occupied = PriorityQueue::occupied(state),
       .real = real.defined() ? real.squeeze(-1).gt(0) : at::Tensor()});
  Popped popped;
  popped.total = got.total;
  popped.value = got.value;  // times the weight of f_m
  make_unit_size(options, z, state, popped);
  popped.message = popped.value + f_m.bias;
  popped.value = at::Tensor();
  return popped;
}

}  // namespace npq::memory
