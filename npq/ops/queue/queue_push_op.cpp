#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/ops/fused.h"
#include "npq/ops/queue/queue_op.h"
#include "npq/ops/saved.h"

namespace npq::ops {
namespace {

using Choices = kernels::QueueChoices;
using kernels::QueuePushShape;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kPush = "fused_push";

/// For each kind of row: what the slots held, or what was pushed.
using Rows = at::TensorList;

class Push : public torch::autograd::Function<Push> {
 public:
  /// Returns the rows, s, written, write_slot.
  static variable_list forward(AutogradContext* ctx, Rows rows, Rows new_rows, const at::Tensor& s,
                               const at::Tensor& total, const at::Tensor& new_s,
                               const at::Tensor& written, const at::Tensor& write_slot,
                               QueuePushShape shape) {
    const auto B = written.size(0), S = written.size(1);
    shape.batch = static_cast<int>(B), shape.slots = static_cast<int>(S);
    const bool chosen_before = shape.write_slot == Choices::WriteSlot::PreviousStep;
    const auto next_s = at::empty(s.sizes(), s.options());
    const auto next_written = at::empty(written.sizes(), written.options());
    const auto next_slot = at::empty({chosen_before ? B : 0}, at::kLong);
    // What the gradient needs to know: per slot whether it survived, per graph where the push went.
    const auto alive = at::empty({B, S}, at::kByte);
    const auto target = at::empty({B}, at::kInt);
    const auto onto = at::empty({B}, at::kByte);
    variable_list out;
    for (std::size_t k = 0; k < rows.size(); ++k) {  // the choice of the slot is the same for all
      out.push_back(at::empty(rows[k].sizes(), rows[k].options()));
      shape.width = static_cast<int>(rows[k].size(2));
      kernels::queue_push_forward<float>(
          shape,
          {.v = numbers(rows[k]),
           .s = numbers(s),
           .total = numbers(total),
           .new_v = numbers(new_rows[k]),
           .new_s = numbers(new_s),
           .written = written.data_ptr<std::int64_t>(),
           .write_slot = chosen_before ? write_slot.data_ptr<std::int64_t>() : nullptr},
          {.v = mutable_numbers(out[k]),
           .s = mutable_numbers(next_s),
           .written = next_written.data_ptr<std::int64_t>(),
           .write_slot = next_slot.data_ptr<std::int64_t>(),
           .alive = alive.data_ptr<std::uint8_t>(),
           .target = target.data_ptr<std::int32_t>(),
           .onto = onto.data_ptr<std::uint8_t>()},
          kernel_threads());
    }
    out.insert(out.end(), {next_s, next_written, next_slot});
    ctx->save_for_backward({alive, target, onto});
    ctx->mark_non_differentiable({next_written, next_slot});
    ctx->set_materialize_grads(false);  // unused outputs have no gradient
    ctx->saved_data["shape"] = saved_value(shape);
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kPush);
    const auto saved = ctx->get_saved_variables();
    auto shape = loaded_value<QueuePushShape>(ctx->saved_data["shape"]);
    kernels::QueuePushOutputs<float> forward{};
    forward.alive = saved[0].data_ptr<std::uint8_t>();
    forward.target = saved[1].data_ptr<std::int32_t>();
    forward.onto = saved[2].data_ptr<std::uint8_t>();

    const auto kinds = outputs.size() - 3;
    variable_list g(2 * kinds + 6);
    for (std::size_t k = 0; k < kinds; ++k) {
      if (!outputs[k].defined()) continue;
      const auto d = outputs[k].contiguous();
      auto &row = g[k], &pushed = g[kinds + k];
      row = gradient_like(d, ctx->needs_input_grad(k));
      if (ctx->needs_input_grad(kinds + k)) pushed = at::empty({d.size(0), d.size(2)}, d.options());
      shape.width = static_cast<int>(d.size(2));
      kernels::queue_push_backward<float>(
          shape, forward, numbers(d), nullptr,
          {.v = mutable_numbers(row), .new_v = mutable_numbers(pushed)}, kernel_threads());
    }
    if (outputs[kinds].defined() && shape.pop != Choices::Pop::Keep) {
      const auto ds = outputs[kinds].contiguous();
      auto *s = &g[2 * kinds], *total = s + 1, *new_s = s + 2;
      for (std::size_t i = 0; i < 2; ++i)
        if (ctx->needs_input_grad(2 * kinds + i)) s[i] = at::empty(ds.sizes(), ds.options());
      if (ctx->needs_input_grad(2 * kinds + 2)) *new_s = at::empty({ds.size(0)}, ds.options());
      shape.width = 0;
      kernels::queue_push_backward<float>(shape, forward, nullptr, numbers(ds),
                                          {.s = mutable_numbers(*s),
                                           .total = mutable_numbers(*total),
                                           .new_s = mutable_numbers(*new_s)},
                                          kernel_threads());
    }
    return g;
  }
};

}  // namespace

FusedPushed fused_push(const QueuePushArguments& a) {
  check_axes(kPush, "written", a.written, 2);
  const auto B = a.written.size(0), S = a.written.size(1);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kPush, name, x, shape);
  };
  if (a.written.scalar_type() != at::kLong) throw Error("{}: 'written' is not int64", kPush);
  const bool chosen_before = a.choices.write_slot == Choices::WriteSlot::PreviousStep;
  if (chosen_before && !(a.write_slot.defined() && a.write_slot.scalar_type() == at::kLong &&
                         a.write_slot.sizes() == at::IntArrayRef({B})))
    throw Error("{}: 'write_slot' is not int64 [{}]", kPush, B);
  const bool keep = a.choices.pop == Choices::Pop::Keep;
  NPQ_ASSERT(!a.rows.empty() && a.rows.size() == a.new_rows.size());
  variable_list rows, new_rows;
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    check_axes(kPush, "rows", a.rows[k], 3);
    const auto width = a.rows[k].size(2);
    rows.push_back(take("rows", a.rows[k], {B, S, width}));
    new_rows.push_back(take("new_rows", a.new_rows[k], {B, width}));
  }
  auto out =
      Push::apply(Rows(rows), Rows(new_rows), keep ? nothing() : take("s", a.s, {B, S}),
                  keep ? nothing() : take("total", a.total, {B, S}),
                  keep ? nothing() : take("new_s", a.new_s.flatten(), {B}), a.written.contiguous(),
                  chosen_before ? a.write_slot.contiguous() : nothing(), a.choices);
  FusedPushed pushed{.rows = {out.begin(), out.end() - 3},
                     .s = keep ? at::Tensor() : out[rows.size()],
                     .written = out[rows.size() + 1],
                     .write_slot = chosen_before ? out[rows.size() + 2] : at::Tensor()};
  return pushed;
}

}  // namespace npq::ops
