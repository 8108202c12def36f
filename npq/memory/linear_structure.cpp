#include "npq/memory/linear_structure.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>

#include "npq/memory/nodes.h"
#include "npq/memory/slots.h"

namespace npq::memory {
namespace {

/// 0, s_0, s_0 + s_1, ...: without a subtraction, so it never falls below 0.
at::Tensor running_sum_before(const at::Tensor& s) {
  return at::constant_pad_nd(s, {1, -1}).cumsum(-1);
}

at::Tensor one_row_per_structure(const at::Tensor& x, Scope scope) {
  return scope == Scope::Node ? x.flatten(0, 1) : x;
}

at::Tensor control(const ParameterStore& parameters, const std::string& name, const at::Tensor& z,
                   const MemoryState& state, Scope scope) {
  if (scope == Scope::Graph) return pooled_linear(parameters, name, z, state, Pool::Mean);
  return linear(parameters, name, z).flatten(0, 1);
}

}  // namespace

at::Tensor below(const at::Tensor& s, std::int64_t first) {
  return running_sum_before(s.roll(-first, -1)).roll(first, -1);
}

at::Tensor above(const at::Tensor& s, std::int64_t first) {
  return running_sum_before(s.roll(-first, -1).flip(-1)).flip(-1).roll(first, -1);
}

at::Tensor read(const Strip& strip, const at::Tensor& cover) {
  const auto weight = at::minimum(strip.s, (1 - cover).relu());  // [R, S]
  return weight.unsqueeze(1).matmul(strip.v).squeeze(1);
}

at::Tensor pop_strip(const at::Tensor& s, const at::Tensor& u, const at::Tensor& cover) {
  return (s - (u - cover).relu()).relu();
}

Strip push_strip(const Strip& strip, std::int64_t slot, const at::Tensor& v, const at::Tensor& d) {
  const auto target =
      marks(at::scalar_tensor(slot, at::kLong), strip.s.size(1));  // [S], the same in all rows
  const auto weight = target.to(v.scalar_type());
  return {strip.v.masked_fill(target.unsqueeze(-1), 0) + weight.unsqueeze(-1) * v.unsqueeze(1),
          strip.s.masked_fill(target, 0) + weight * d};
}

void declare_controls(ParameterSpecs& specs, const std::string& prefix, std::int64_t z_width,
                      std::int64_t width) {
  add_linear(specs, "memory/" + prefix + "push", z_width, 1);
  add_linear(specs, "memory/" + prefix + "pop", z_width, 1);
  add_linear(specs, "memory/" + prefix + "v", z_width, width);
}

Controls controls(const ParameterStore& parameters, const std::string& prefix, const at::Tensor& z,
                  const MemoryState& state, Scope scope) {
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
  return {.alive = per_graph(after.tensor("s").ge(1e-6)),
          .strength = per_graph(after.tensor("s")),
          .drained = (held - per_graph(popped)) / held,
          .saturated = saturated_share(written.reshape({before.tensor("s").size(0), -1}))};
}

}  // namespace npq::memory
