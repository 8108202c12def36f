#include "npq/ops/pointer_op.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/kernels/pointer/pointer.h"
#include "npq/ops/channels.h"
#include "npq/ops/fused.h"

namespace npq::ops {
namespace {

using Of = kernels::PointerShape::Of;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kPointers = "fused_pointers";
constexpr auto kEdgePointers = "fused_edge_pointers";

bool missing(const at::Tensor& x) { return x.numel() == 0; }

/// Nodes point, or, where pairs have a column, edges.
class Pointers : public torch::autograd::Function<Pointers> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& node, const at::Tensor& row,
                            const at::Tensor& column, const at::Tensor& values,
                            const at::Tensor& rows, const at::Tensor& weights,
                            const at::Tensor& bias, const at::Tensor& dense, Of of,
                            const std::vector<bool>& value_gradients) {
    const variable_list saved = {node, row, column, values, rows, weights, bias, dense};
    const auto N = node.size(1);
    std::vector<std::int64_t> sizes = {node.size(0), N, N};
    if (of == Of::Edges) sizes.push_back(N);
    const auto logits = at::empty(sizes, node.options());
    kernels::pointer_forward(shape(saved, of), inputs(saved, of), mutable_numbers(logits),
                             kernel_threads());
    ctx->save_for_backward(saved);
    ctx->saved_data["edges"] = of == Of::Edges;
    ctx->saved_data["channels"] = saved_channels(value_gradients);
    return logits;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    const auto of = ctx->saved_data["edges"].toBool() ? Of::Edges : Of::Nodes;
    refuse_second_derivatives(of == Of::Edges ? kEdgePointers : kPointers);
    const auto saved = ctx->get_saved_variables();
    const auto channels = loaded_channels(ctx->saved_data["channels"]);
    variable_list g(10);
    for (std::size_t i = 0; i < 8; ++i) g[i] = gradient_like(saved[i], ctx->needs_input_grad(i));
    const kernels::PointerGradients<float> pointers = {
        .node = mutable_numbers(g[0]),
        .row = mutable_numbers(g[1]),
        .column = of == Of::Edges ? mutable_numbers(g[2]) : nullptr,
        .x = mutable_numbers(g[3]),
        .c = mutable_numbers(g[4]),
        .dense = missing(saved[7]) ? nullptr : mutable_numbers(g[7]),
        .d = mutable_numbers(g[5]),
        .bias = mutable_numbers(g[6]),
        .x_channels = channel_marks(channels)};
    kernels::pointer_backward(shape(saved, of), inputs(saved, of), numbers(outputs[0].contiguous()),
                              pointers, kernel_threads());
    return g;
  }

 private:
  static kernels::PointerShape shape(const variable_list& saved, Of of) {
    return {static_cast<int>(saved[0].size(0)), static_cast<int>(saved[0].size(1)),
            static_cast<int>(saved[0].size(2)), static_cast<int>(saved[3].size(3)), of};
  }
  static kernels::PointerInputs<float> inputs(const variable_list& saved, Of of) {
    return {.node = numbers(saved[0]),
            .row = numbers(saved[1]),
            .column = of == Of::Edges ? numbers(saved[2]) : nullptr,
            .x = numbers(saved[3]),
            .c = numbers(saved[4]),
            .dense = missing(saved[7]) ? nullptr : numbers(saved[7]),
            .d = numbers(saved[5]),
            .bias = numbers(saved[6])};
  }
};

}  // namespace

at::Tensor fused_pointers(const PointerArguments& a) {
  check_axes(kPointers, "from", a.from, 3), check_axes(kPointers, "values", a.values, 4);
  const auto B = a.from.size(0), N = a.from.size(1), H = a.from.size(2), R = a.values.size(3);
  check_channels(kPointers, a.value_gradients, R);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kPointers, name, x, shape);
  };
  return Pointers::apply(take("from", a.from, {B, N, H}), take("to", a.to, {B, N, H}), nothing(),
                         take("values", a.values, {B, N, N, R}), take("rows", a.rows, {R, H}),
                         take("weights", a.weights.flatten(), {H}), take("bias", a.bias, {1}),
                         a.dense.defined() ? take("dense", a.dense, {B, N, N, H}) : nothing(),
                         Of::Nodes, a.value_gradients);
}

at::Tensor fused_edge_pointers(const EdgePointerArguments& a) {
  check_axes(kEdgePointers, "tail", a.tail, 3), check_axes(kEdgePointers, "values", a.values, 4);
  const auto B = a.tail.size(0), N = a.tail.size(1), H = a.tail.size(2), R = a.values.size(3);
  check_channels(kEdgePointers, a.value_gradients, R);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kEdgePointers, name, x, shape);
  };
  return Pointers::apply(take("to", a.to, {B, N, H}), take("tail", a.tail, {B, N, H}),
                         take("head", a.head, {B, N, H}), take("values", a.values, {B, N, N, R}),
                         take("rows", a.rows, {R, H}), take("weights", a.weights.flatten(), {H}),
                         take("bias", a.bias, {1}),
                         a.dense.defined() ? take("dense", a.dense, {B, N, N, H}) : nothing(),
                         Of::Edges, a.value_gradients);
}

}  // namespace npq::ops
