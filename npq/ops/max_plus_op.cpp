#include "npq/ops/max_plus_op.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/kernels/max_plus/max_plus.h"
#include "npq/ops/fused.h"

namespace npq::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kMaxPlus = "fused_max_plus";

kernels::MaxPlusShape shape_of(const at::Tensor& x) {
  return {static_cast<int>(x.size(0)), static_cast<int>(x.size(1)), static_cast<int>(x.size(3))};
}

class MaxPlus : public torch::autograd::Function<MaxPlus> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& left, const at::Tensor& right) {
    const auto out = at::empty(left.sizes(), left.options());
    const auto arg = at::empty(left.sizes(), at::kShort);
    kernels::max_plus_forward(shape_of(left), numbers(left), numbers(right), mutable_numbers(out),
                              indices(arg), kernel_threads());
    ctx->save_for_backward({arg});
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kMaxPlus);
    const auto arg = ctx->get_saved_variables()[0];
    const auto dout = outputs[0].contiguous();
    const variable_list g = {gradient_like(dout, ctx->needs_input_grad(0)),
                             gradient_like(dout, ctx->needs_input_grad(1))};
    kernels::max_plus_backward(shape_of(dout), indices(arg), numbers(dout), mutable_numbers(g[0]),
                               mutable_numbers(g[1]), kernel_threads());
    return g;
  }
};

}  // namespace

at::Tensor fused_max_plus(const at::Tensor& left, const at::Tensor& right) {
  check_axes(kMaxPlus, "left", left, 4);
  const auto B = left.size(0), N = left.size(1), F = left.size(3);
  return MaxPlus::apply(checked(kMaxPlus, "left", left, {B, N, N, F}),
                        checked(kMaxPlus, "right", right, {B, N, N, F}));
}

}  // namespace npq::ops
