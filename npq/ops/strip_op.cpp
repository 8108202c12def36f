#include "npq/ops/strip_op.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/kernels/strip/strip.h"
#include "npq/ops/fused.h"

namespace npq::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kStrip = "fused_strip";

kernels::StripShape shape_of(const at::Tensor& v, const at::Tensor& weight,
                             const std::vector<int>& targets) {
  return {.rows = static_cast<int>(v.size(0)),
          .slots = static_cast<int>(v.size(1)),
          .width = static_cast<int>(v.size(2)),
          .reads = static_cast<int>(weight.size(1)),
          .writes = static_cast<int>(targets.size()),
          .targets = targets.data()};
}

std::vector<int> targets_of(const std::vector<std::int64_t>& slots) {
  return {slots.begin(), slots.end()};
}

class StripStep : public torch::autograd::Function<StripStep> {
 public:
  /// Returns read and the next v.
  static variable_list forward(AutogradContext* ctx, const at::Tensor& v, const at::Tensor& weight,
                               const at::Tensor& values, const std::vector<std::int64_t>& slots) {
    const auto targets = targets_of(slots);
    const auto shape = shape_of(v, weight, targets);
    const auto read = at::empty({v.size(0), weight.size(1), v.size(2)}, v.options());
    const auto next = at::empty(v.sizes(), v.options());
    kernels::strip_forward<float>(
        shape, {.v = numbers(v), .weight = numbers(weight), .values = numbers(values)},
        {.read = mutable_numbers(read), .next = mutable_numbers(next)}, kernel_threads());
    ctx->save_for_backward({v, weight});
    ctx->saved_data["slots"] = slots;
    ctx->set_materialize_grads(false);  // what the last step wrote is not used
    return {read, next};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kStrip);
    const auto saved = ctx->get_saved_variables();
    const auto &v = saved[0], &weight = saved[1];
    const auto targets = targets_of(ctx->saved_data["slots"].toIntVector());
    const auto shape = shape_of(v, weight, targets);
    const auto d_read = outputs[0].defined()
                            ? outputs[0].contiguous()
                            : at::zeros({v.size(0), weight.size(1), v.size(2)}, v.options());
    const auto d_next = outputs[1].defined() ? outputs[1].contiguous() : at::Tensor();
    variable_list g(4);
    g[0] = gradient_like(v, ctx->needs_input_grad(0));
    g[1] = gradient_like(weight, ctx->needs_input_grad(1));
    if (ctx->needs_input_grad(2))
      g[2] = at::empty({v.size(0), shape.writes, v.size(2)}, v.options().requires_grad(false));
    kernels::strip_backward<float>(shape,
                                   {.v = numbers(v), .weight = numbers(weight), .values = nullptr},
                                   numbers(d_read), numbers(d_next),
                                   {.v = mutable_numbers(g[0]),
                                    .weight = mutable_numbers(g[1]),
                                    .values = mutable_numbers(g[2])},
                                   kernel_threads());
    return g;
  }
};

}  // namespace

FusedStrip fused_strip(const StripArguments& a) {
  check_axes(kStrip, "v", a.v, 3), check_axes(kStrip, "weight", a.weight, 3);
  const auto R = a.v.size(0), S = a.v.size(1), F = a.v.size(2);
  for (const auto slot : a.slots)
    if (slot < 0 || slot >= S)
      throw Error("{}: slot {} is none of the strip's; expected 0 to {}", kStrip, slot, S - 1);
  const auto writes = static_cast<std::int64_t>(a.slots.size());
  const auto out = StripStep::apply(checked(kStrip, "v", a.v, {R, S, F}),
                                    checked(kStrip, "weight", a.weight, {R, a.weight.size(1), S}),
                                    checked(kStrip, "values", a.values, {R, writes, F}), a.slots);
  return {out[0], out[1]};
}

}  // namespace npq::ops
