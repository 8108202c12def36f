#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/ops/fused.h"
#include "npq/ops/queue_op.h"

namespace npq::ops {
namespace {

using kernels::QueuePushShape;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kName = "fused_push";

class Push : public torch::autograd::Function<Push> {
 public:
  /// Returns v, s, written, write_slot.
  static variable_list forward(AutogradContext* ctx, const at::Tensor& v, const at::Tensor& s,
                               const at::Tensor& total, const at::Tensor& new_v,
                               const at::Tensor& new_s, const at::Tensor& written,
                               const at::Tensor& write_slot, QueuePushShape shape) {
    shape.batch = static_cast<int>(v.size(0)), shape.slots = static_cast<int>(v.size(1));
    shape.width = static_cast<int>(v.size(2));
    const bool chosen_before = shape.slot == QueuePushShape::Slot::PreviousStep;
    const variable_list out = {at::empty(v.sizes(), v.options()), at::empty(s.sizes(), s.options()),
                               at::empty(written.sizes(), written.options()),
                               at::empty({chosen_before ? v.size(0) : 0}, at::kLong)};
    // What the gradient needs to know: per slot whether it survived, per graph where the push went.
    const auto alive = at::empty({v.size(0), v.size(1)}, at::kByte);
    const auto target = at::empty({v.size(0)}, at::kInt);
    const auto onto = at::empty({v.size(0)}, at::kByte);
    kernels::queue_push_forward<float>(
        shape,
        {.v = numbers(v),
         .s = numbers(s),
         .total = numbers(total),
         .new_v = numbers(new_v),
         .new_s = numbers(new_s),
         .written = written.data_ptr<std::int64_t>(),
         .write_slot = chosen_before ? write_slot.data_ptr<std::int64_t>() : nullptr},
        {.v = mutable_numbers(out[0]),
         .s = mutable_numbers(out[1]),
         .written = out[2].data_ptr<std::int64_t>(),
         .write_slot = out[3].data_ptr<std::int64_t>(),
         .alive = alive.data_ptr<std::uint8_t>(),
         .target = target.data_ptr<std::int32_t>(),
         .onto = onto.data_ptr<std::uint8_t>()},
        kernel_threads());
    ctx->save_for_backward({alive, target, onto});
    ctx->mark_non_differentiable({out[2], out[3]});
    ctx->saved_data["keep"] = shape.keep;
    ctx->saved_data["add_to_reused"] = shape.add_to_reused;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kName);
    const auto saved = ctx->get_saved_variables();
    const auto dv = outputs[0].contiguous(), ds = outputs[1].contiguous();
    QueuePushShape shape;
    shape.batch = static_cast<int>(dv.size(0)), shape.slots = static_cast<int>(dv.size(1));
    shape.width = static_cast<int>(dv.size(2));
    shape.keep = ctx->saved_data["keep"].toBool();
    shape.add_to_reused = ctx->saved_data["add_to_reused"].toBool();
    kernels::QueuePushOutputs<float> forward{};
    forward.alive = saved[0].data_ptr<std::uint8_t>();
    forward.target = saved[1].data_ptr<std::int32_t>();
    forward.onto = saved[2].data_ptr<std::uint8_t>();

    variable_list g(8);
    const auto slots = ds.sizes();  // [B, S], or nothing with keep
    g[0] = gradient_like(dv, ctx->needs_input_grad(0));
    for (const std::size_t i : {1, 2})
      if (ctx->needs_input_grad(i)) g[i] = at::empty(slots, ds.options());
    if (ctx->needs_input_grad(3)) g[3] = at::empty({dv.size(0), dv.size(2)}, dv.options());
    if (ctx->needs_input_grad(4)) g[4] = at::empty({dv.size(0)}, dv.options());
    kernels::queue_push_backward<float>(shape, forward, numbers(dv),
                                        shape.keep ? nullptr : numbers(ds),
                                        {.v = mutable_numbers(g[0]),
                                         .s = mutable_numbers(g[1]),
                                         .total = mutable_numbers(g[2]),
                                         .new_v = mutable_numbers(g[3]),
                                         .new_s = mutable_numbers(g[4])},
                                        kernel_threads());
    return g;
  }
};

}  // namespace

FusedPushed fused_push(const QueuePushArguments& a) {
  check_axes(kName, "v", a.v, 3);
  const auto B = a.v.size(0), S = a.v.size(1), F = a.v.size(2);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kName, name, x, shape);
  };
  const auto is_long = [](const at::Tensor& x, at::IntArrayRef shape) {
    return x.defined() && x.scalar_type() == at::kLong && x.sizes() == shape;
  };
  if (!is_long(a.written, {B, S})) throw Error("{}: 'written' is not int64 [{}, {}]", kName, B, S);
  const bool chosen_before = a.choices.slot == QueuePushShape::Slot::PreviousStep;
  if (chosen_before && !is_long(a.write_slot, {B}))
    throw Error("{}: 'write_slot' is not int64 [{}]", kName, B);
  const bool keep = a.choices.keep;
  const auto out =
      Push::apply(take("v", a.v, {B, S, F}), keep ? nothing() : take("s", a.s, {B, S}),
                  keep ? nothing() : take("total", a.total, {B, S}), take("new_v", a.new_v, {B, F}),
                  keep ? nothing() : take("new_s", a.new_s.flatten(), {B}), a.written.contiguous(),
                  chosen_before ? a.write_slot.contiguous() : nothing(), a.choices);
  return {out[0], keep ? at::Tensor() : out[1], out[2], chosen_before ? out[3] : at::Tensor()};
}

}  // namespace npq::ops
