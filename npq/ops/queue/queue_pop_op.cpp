#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/ops/fused.h"
#include "npq/ops/queue/queue_op.h"
#include "npq/ops/saved.h"

namespace npq::ops {
namespace {

using kernels::QueuePopShape;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kPop = "fused_pop";

/// The choices, with the sizes of what was saved.
QueuePopShape shape_of(QueuePopShape s, const variable_list& saved) {
  s.batch = static_cast<int>(saved[0].size(0)), s.nodes = static_cast<int>(saved[0].size(1));
  s.heads = static_cast<int>(saved[0].size(2));
  s.slots = static_cast<int>(saved[5].size(1)), s.width = static_cast<int>(saved[5].size(2));
  return s;
}

bool keeps(const QueuePopShape& s) { return s.pop == kernels::QueueChoices::Pop::Keep; }

class Pop : public torch::autograd::Function<Pop> {
 public:
  static variable_list forward(AutogradContext* ctx, const at::Tensor& asked,
                               const at::Tensor& held, const at::Tensor& combine,
                               const at::Tensor& strength, const at::Tensor& s, const at::Tensor& v,
                               const at::Tensor& occupied, const at::Tensor& real,
                               const QueuePopShape& choices) {
    const variable_list saved = {asked, held, combine, strength, s, v, occupied, real};
    const auto shape = shape_of(choices, saved);
    const auto value = at::empty({shape.batch, shape.nodes, shape.width}, v.options());
    const auto total =
        keeps(shape) ? nothing() : at::empty({shape.batch, shape.slots}, v.options());
    kernels::queue_pop_forward(shape, inputs(saved), mutable_numbers(value), mutable_numbers(total),
                               kernel_threads());
    ctx->save_for_backward(saved);
    ctx->saved_data["choices"] = saved_value(choices);
    return {value, total};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kPop);
    const auto saved = ctx->get_saved_variables();
    const auto shape = shape_of(loaded_value<QueuePopShape>(ctx->saved_data["choices"]), saved);
    variable_list g(9);
    for (std::size_t i = 0; i < 6; ++i) g[i] = gradient_like(saved[i], ctx->needs_input_grad(i));
    kernels::queue_pop_backward(shape, inputs(saved), numbers(outputs[0].contiguous()),
                                keeps(shape) ? nullptr : numbers(outputs[1].contiguous()),
                                {.asked = mutable_numbers(g[0]),
                                 .held = mutable_numbers(g[1]),
                                 .combine = mutable_numbers(g[2]),
                                 .strength = mutable_numbers(g[3]),
                                 .s = mutable_numbers(g[4]),
                                 .v = mutable_numbers(g[5])},
                                kernel_threads());
    return g;
  }

 private:
  static const std::uint8_t* marks(const at::Tensor& x) {
    return reinterpret_cast<const std::uint8_t*>(x.data_ptr<bool>());
  }
  static kernels::QueuePopInputs<float> inputs(const variable_list& saved) {
    return {.asked = numbers(saved[0]),
            .held = numbers(saved[1]),
            .combine = numbers(saved[2]),
            .strength = numbers(saved[3]),
            .s = numbers(saved[4]),
            .v = numbers(saved[5]),
            .occupied = marks(saved[6]),
            .real = saved[7].numel() > 0 ? marks(saved[7]) : nullptr};
  }
};

}  // namespace

FusedPopped fused_pop(const QueuePopArguments& a) {
  check_axes(kPop, "asked", a.asked, 3), check_axes(kPop, "v", a.v, 3);
  const auto B = a.asked.size(0), N = a.asked.size(1), K = a.asked.size(2);
  const auto S = a.v.size(1), F = a.v.size(2);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kPop, name, x, shape);
  };
  if (a.choices.single_head_skip && K != 1)
    throw Error("{}: single_head_skip is for one head; there are {}", kPop, K);
  if (a.occupied.scalar_type() != at::kBool || a.occupied.sizes() != at::IntArrayRef({B, S}))
    throw Error("{}: 'occupied' is not bool [{}, {}]", kPop, B, S);
  if (a.real.defined() &&
      (a.real.scalar_type() != at::kBool || a.real.sizes() != at::IntArrayRef({B, N})))
    throw Error("{}: 'real' is not bool [{}, {}]", kPop, B, N);
  const bool keep = keeps(a.choices);
  const auto out = Pop::apply(
      take("asked", a.asked, {B, N, K}), take("held", a.held, {B, S, K}),
      a.choices.single_head_skip ? nothing() : take("combine", a.combine.flatten(), {K}),
      keep ? nothing() : take("strength", a.strength.expand({B, N}), {B, N}),
      keep ? nothing() : take("s", a.s, {B, S}), take("v", a.v, {B, S, F}), a.occupied.contiguous(),
      a.real.defined() ? a.real.contiguous() : nothing(), a.choices);
  return {out[0], keep ? at::Tensor() : out[1]};
}

}  // namespace npq::ops
