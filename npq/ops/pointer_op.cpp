#include "npq/ops/pointer_op.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/kernels/edge_pointer/edge_pointer.h"
#include "npq/kernels/pointer/pointer.h"
#include "npq/ops/channels.h"
#include "npq/ops/fused.h"

namespace npq::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kPointers = "fused_pointers";
constexpr auto kEdgePointers = "fused_edge_pointers";

const float* if_any(const at::Tensor& x) { return x.numel() == 0 ? nullptr : numbers(x); }

class Pointers : public torch::autograd::Function<Pointers> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& from, const at::Tensor& to,
                            const at::Tensor& values, const at::Tensor& rows,
                            const at::Tensor& weights, const at::Tensor& bias,
                            const at::Tensor& dense, const std::vector<bool>& value_gradients) {
    const variable_list saved = {from, to, values, rows, weights, bias, dense};
    const auto logits = at::empty({from.size(0), from.size(1), from.size(1)}, from.options());
    kernels::pointer_forward(shape(saved), inputs(saved), mutable_numbers(logits),
                             kernel_threads());
    ctx->save_for_backward(saved);
    ctx->saved_data["channels"] = saved_channels(value_gradients);
    return logits;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kPointers);
    const auto saved = ctx->get_saved_variables();
    const auto channels = loaded_channels(ctx->saved_data["channels"]);
    variable_list g(8);
    for (std::size_t i = 0; i < 7; ++i) g[i] = gradient_like(saved[i], ctx->needs_input_grad(i));
    const kernels::PointerGradients<float> pointers = {
        .from = mutable_numbers(g[0]),
        .to = mutable_numbers(g[1]),
        .x = mutable_numbers(g[2]),
        .c = mutable_numbers(g[3]),
        .dense = saved[6].numel() == 0 ? nullptr : mutable_numbers(g[6]),
        .d = mutable_numbers(g[4]),
        .bias = mutable_numbers(g[5]),
        .x_channels = channel_marks(channels)};
    kernels::pointer_backward(shape(saved), inputs(saved), numbers(outputs[0].contiguous()),
                              pointers, kernel_threads());
    return g;
  }

 private:
  static kernels::PointerShape shape(const variable_list& saved) {
    return {static_cast<int>(saved[0].size(0)), static_cast<int>(saved[0].size(1)),
            static_cast<int>(saved[0].size(2)), static_cast<int>(saved[2].size(3))};
  }
  static kernels::PointerInputs<float> inputs(const variable_list& saved) {
    return {.from = numbers(saved[0]),
            .to = numbers(saved[1]),
            .x = numbers(saved[2]),
            .c = numbers(saved[3]),
            .dense = if_any(saved[6]),
            .d = numbers(saved[4]),
            .bias = numbers(saved[5])};
  }
};

class EdgePointers : public torch::autograd::Function<EdgePointers> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& tail, const at::Tensor& head,
                            const at::Tensor& values, const at::Tensor& rows, const at::Tensor& to,
                            const at::Tensor& weights, const at::Tensor& bias,
                            const at::Tensor& dense, const std::vector<bool>& value_gradients) {
    const variable_list saved = {tail, head, values, rows, to, weights, bias, dense};
    const auto N = tail.size(1);
    const auto logits = at::empty({tail.size(0), N, N, N}, tail.options());
    kernels::edge_pointer_forward(shape(saved), inputs(saved), mutable_numbers(logits),
                                  kernel_threads());
    ctx->save_for_backward(saved);
    ctx->saved_data["channels"] = saved_channels(value_gradients);
    return logits;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kEdgePointers);
    const auto saved = ctx->get_saved_variables();
    const auto channels = loaded_channels(ctx->saved_data["channels"]);
    variable_list g(9);
    for (std::size_t i = 0; i < 8; ++i) g[i] = gradient_like(saved[i], ctx->needs_input_grad(i));
    const kernels::EdgePointerGradients<float> pointers = {
        .tail = mutable_numbers(g[0]),
        .head = mutable_numbers(g[1]),
        .x = mutable_numbers(g[2]),
        .c = mutable_numbers(g[3]),
        .dense = saved[7].numel() == 0 ? nullptr : mutable_numbers(g[7]),
        .to = mutable_numbers(g[4]),
        .d = mutable_numbers(g[5]),
        .bias = mutable_numbers(g[6]),
        .x_channels = channel_marks(channels)};
    kernels::edge_pointer_backward(shape(saved), inputs(saved), numbers(outputs[0].contiguous()),
                                   pointers, kernel_threads());
    return g;
  }

 private:
  static kernels::EdgePointerShape shape(const variable_list& saved) {
    return {static_cast<int>(saved[0].size(0)), static_cast<int>(saved[0].size(1)),
            static_cast<int>(saved[0].size(2)), static_cast<int>(saved[2].size(3))};
  }
  static kernels::EdgePointerInputs<float> inputs(const variable_list& saved) {
    return {.tail = numbers(saved[0]),
            .head = numbers(saved[1]),
            .x = numbers(saved[2]),
            .c = numbers(saved[3]),
            .dense = if_any(saved[7]),
            .to = numbers(saved[4]),
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
  return Pointers::apply(take("from", a.from, {B, N, H}), take("to", a.to, {B, N, H}),
                         take("values", a.values, {B, N, N, R}), take("rows", a.rows, {R, H}),
                         take("weights", a.weights.flatten(), {H}), take("bias", a.bias, {1}),
                         a.dense.defined() ? take("dense", a.dense, {B, N, N, H}) : nothing(),
                         a.value_gradients);
}

at::Tensor fused_edge_pointers(const EdgePointerArguments& a) {
  check_axes(kEdgePointers, "tail", a.tail, 3), check_axes(kEdgePointers, "values", a.values, 4);
  const auto B = a.tail.size(0), N = a.tail.size(1), H = a.tail.size(2), R = a.values.size(3);
  check_channels(kEdgePointers, a.value_gradients, R);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kEdgePointers, name, x, shape);
  };
  return EdgePointers::apply(take("tail", a.tail, {B, N, H}), take("head", a.head, {B, N, H}),
                             take("values", a.values, {B, N, N, R}), take("rows", a.rows, {R, H}),
                             take("to", a.to, {B, N, H}), take("weights", a.weights.flatten(), {H}),
                             take("bias", a.bias, {1}),
                             a.dense.defined() ? take("dense", a.dense, {B, N, N, H}) : nothing(),
                             a.value_gradients);
}

}  // namespace npq::ops
