#include "npq/memory/rivals/linear_structure.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/select_scatter.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include "npq/kernels/constants.h"
#include "npq/memory/nodes.h"
#include "npq/ops/path.h"
#include "npq/ops/strip_op.h"

namespace npq::memory {
namespace {

/// 0, s_0, s_0 + s_1, ...: without a subtraction, so it never falls below 0.
at::Tensor running_sum_before(const at::Tensor& s) {
  return at::constant_pad_nd(s, {1, -1}).cumsum(-1);
}

at::Tensor one_row_per_structure(const at::Tensor& x, Scope scope) {
  return scope == Scope::Node ? x.flatten(0, 1) : x;
}

at::Tensor control(const ops::ParameterStore& parameters, const std::string& name,
                   const at::Tensor& z, const MemoryState& state, Scope scope) {
  if (scope == Scope::Graph) return pooled_linear(parameters, name, z, state, Pool::Mean);
  return ops::linear(parameters, name, z).flatten(0, 1);
}

}  // namespace

at::Tensor below(const at::Tensor& s, std::int64_t first) {
  return running_sum_before(s.roll(-first, -1)).roll(first, -1);
}

at::Tensor above(const at::Tensor& s, std::int64_t first) {
  return running_sum_before(s.roll(-first, -1).flip(-1)).flip(-1).roll(first, -1);
}

at::Tensor uncovered_unit(const at::Tensor& s, const at::Tensor& cover) {
  return at::minimum(s, (1 - cover).relu());
}

at::Tensor pop_strip(const at::Tensor& s, const at::Tensor& u, const at::Tensor& cover) {
  return (s - (u - cover).relu()).relu();
}

Turn read_and_push(const Strip& strip, const std::vector<at::Tensor>& weights,
                   const std::vector<Push>& pushes) {
  const auto weight = at::stack(weights, 1);  // [R, K, S]
  Turn turn{{}, strip};
  for (const auto& push : pushes)
    turn.strip.s = at::select_scatter(turn.strip.s, push.d.squeeze(-1), 1, push.slot);
  if (ops::goes_fused(strip.v)) {
    ops::StripArguments arguments{.v = strip.v, .weight = weight};
    std::vector<at::Tensor> values;
    for (const auto& push : pushes) {
      values.push_back(push.v);
      arguments.slots.push_back(push.slot);
    }
    arguments.values = at::stack(values, 1);
    const auto [read, v] = ops::fused_strip(arguments);
    turn.read = read.flatten(1);
    turn.strip.v = v;
  } else {
    turn.read = weight.matmul(strip.v).flatten(1);
    for (const auto& push : pushes)
      turn.strip.v = at::select_scatter(turn.strip.v, push.v, 1, push.slot);
  }
  return turn;
}

void declare_controls(ops::ParameterSpecs& specs, const std::string& prefix, std::int64_t z_width,
                      std::int64_t width) {
  ops::add_linear(specs, "memory/" + prefix + "push", z_width, 1);
  ops::add_linear(specs, "memory/" + prefix + "pop", z_width, 1);
  ops::add_linear(specs, "memory/" + prefix + "v", z_width, width);
}

Controls controls(const ops::ParameterStore& parameters, const std::string& prefix,
                  const at::Tensor& z, const MemoryState& state, Scope scope) {
  const auto from = [&](const char* name) {
    return control(parameters, "memory/" + prefix + name, z, state, scope);
  };
  return {from("push").sigmoid(), from("pop").sigmoid(), from("v").tanh()};
}

MemoryState empty_strips(const MemoryOptions& options, std::int64_t width,
                         const MemoryBatch& batch) {
  std::vector<std::int64_t> shape = {batch.batch};
  if (options.scope == Scope::Node) shape.push_back(batch.nodes);
  shape.push_back(options.slots_for(batch.steps));
  MemoryState state;
  const auto s = at::zeros(shape, batch.dtype);
  shape.push_back(width);
  state.tensors = {{"v", at::zeros(shape, batch.dtype)}, {"s", s}};
  state.integers = {{"step", 0}};
  remember_nodes(state, batch);
  return state;
}

Strip strip_of(const MemoryState& state) {
  const auto& v = state.tensor("v");
  const auto scope = v.dim() == 4 ? Scope::Node : Scope::Graph;
  return {one_row_per_structure(v, scope), one_row_per_structure(state.tensor("s"), scope)};
}

MemoryState with_strip(const MemoryState& state, const Strip& strip) {
  MemoryState next = state;
  next.set("v", strip.v.view_as(state.tensor("v")));
  next.set("s", strip.s.view_as(state.tensor("s")));
  next.set("step", state.integer("step") + 1);
  return next;
}

at::Tensor for_each_node(const at::Tensor& read, const at::Tensor& z) {
  const std::int64_t batch = z.size(0), nodes = z.size(1), width = read.size(-1);
  if (read.size(0) == batch * nodes) return read.view({batch, nodes, width});
  return read.unsqueeze(1).expand({batch, nodes, width});
}

MemoryHealth strip_health(const MemoryState& before, const MemoryState& after,
                          const at::Tensor& popped, const at::Tensor& written) {
  const auto per_graph = [&](const at::Tensor& s) {
    return s.detach().reshape({before.tensor("s").size(0), -1}).to(at::kDouble).sum(1);
  };
  const auto held = per_graph(before.tensor("s"));
  return {.alive = per_graph(after.tensor("s").ge(kernels::kLeastStrength)),
          .strength = per_graph(after.tensor("s")),
          .drained = (held - per_graph(popped)) / held,
          .saturated = saturated_share(written.reshape({before.tensor("s").size(0), -1}))};
}

}  // namespace npq::memory
