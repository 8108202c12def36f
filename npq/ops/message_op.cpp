#include "npq/ops/message_op.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/base/simd.h"
#include "npq/ops/channels.h"
#include "npq/ops/fused.h"
#include "npq/ops/kept.h"
#include "npq/ops/saved.h"

namespace npq::ops {
namespace {

using kernels::Delivery;
using kernels::Senders;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kMessages = "fused_messages";

kernels::MessageShape shape_of(const at::Tensor& values, const at::Tensor& recv) {
  return {.batch = static_cast<int>(recv.size(0)),
          .nodes = static_cast<int>(recv.size(1)),
          .hidden = static_cast<int>(recv.size(2)),
          .channels = static_cast<int>(values.size(3))};
}

float* numbers_kept(const at::Tensor& kept) {
  return kept.numel() > 0 ? kept.data_ptr<float>() : nullptr;
}

/// The choices, which are not tensors.
struct MessageChoices {
  Senders senders;
  Delivery delivery;
};

class Messages : public torch::autograd::Function<Messages> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& recv, const at::Tensor& send,
                            const at::Tensor& values, const at::Tensor& rows, const at::Tensor& w0,
                            const at::Tensor& b0, const at::Tensor& w1, const at::Tensor& b1,
                            const at::Tensor& memory, const at::Tensor& kept,
                            const NeighbourTensors& neighbours, MessageChoices choices,
                            const std::vector<bool>& value_gradients) {
    const auto shape = shape_of(values, recv);
    const auto agg = at::empty({shape.batch, shape.nodes, shape.hidden}, recv.options());
    const auto arg = at::empty({shape.batch, shape.nodes, shape.hidden}, at::kShort);
    const variable_list saved = {
        recv, send, values, rows, w0, b0, w1, b1, memory, neighbours.offsets, neighbours.list,
        arg,  kept};
    kernels::message_forward(shape, inputs(saved, choices), agg.data_ptr<float>(), indices(arg),
                             numbers_kept(kept), kernel_threads());
    ctx->save_for_backward(saved);
    ctx->saved_data["choices"] = saved_value(choices);
    ctx->saved_data["channels"] = saved_channels(value_gradients);
    return agg;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kMessages);
    const auto saved = ctx->get_saved_variables();
    const auto in = inputs(saved, loaded_value<MessageChoices>(ctx->saved_data["choices"]));
    const auto dagg = outputs[0].contiguous();

    variable_list gradients(13);  // nothing for what is kept, the neighbours and the choices
    for (std::size_t i = 0; i < 9; ++i)
      gradients[i] = gradient_like(saved[i], ctx->needs_input_grad(i));
    const auto channels = loaded_channels(ctx->saved_data["channels"]);
    const kernels::MessageGradients<float> pointers = {.recv = mutable_numbers(gradients[0]),
                                                       .send = mutable_numbers(gradients[1]),
                                                       .x = mutable_numbers(gradients[2]),
                                                       .c = mutable_numbers(gradients[3]),
                                                       .w0 = mutable_numbers(gradients[4]),
                                                       .b0 = mutable_numbers(gradients[5]),
                                                       .w1 = mutable_numbers(gradients[6]),
                                                       .b1 = mutable_numbers(gradients[7]),
                                                       .memory = mutable_numbers(gradients[8]),
                                                       .x_channels = channel_marks(channels)};
    kernels::message_backward(shape_of(saved[2], saved[0]), in, indices(saved[11]),
                              dagg.data_ptr<float>(), numbers_kept(saved[12]), pointers,
                              kernel_threads());
    return gradients;
  }

 private:
  static kernels::MessageInputs<float> inputs(const variable_list& saved, MessageChoices choices) {
    kernels::MessageInputs<float> in = {.recv = numbers(saved[0]),
                                        .send = numbers(saved[1]),
                                        .x = numbers(saved[2]),
                                        .c = numbers(saved[3]),
                                        .w0 = numbers(saved[4]),
                                        .b0 = numbers(saved[5]),
                                        .w1 = numbers(saved[6]),
                                        .b1 = numbers(saved[7]),
                                        .memory = numbers(saved[8]),
                                        .senders = choices.senders,
                                        .delivery = choices.delivery};
    if (choices.senders == Senders::Listed)
      in.neighbours = NeighbourTensors{saved[9], saved[10]}.view();
    return in;
  }
};

/// Room for y of all messages, where a backward pass may come: to compute it again would be the
/// fifth part of a step's messages.
at::Tensor room_for_messages(const MessageArguments& a) {
  if (a.senders != Senders::All || active_simd_level() == SimdLevel::Reference ||
      !at::GradMode::is_enabled())
    return nothing();
  const auto shape = shape_of(a.values, a.recv);
  const auto kept =
      keep(static_cast<std::int64_t>(kernels::kept_floats(shape, a.delivery)) * shape.batch);
  return kept.defined() ? kept : nothing();
}

}  // namespace

at::Tensor fused_messages(const MessageArguments& a) {
  check_axes(kMessages, "recv", a.recv, 3), check_axes(kMessages, "values", a.values, 4);
  const auto B = a.recv.size(0), N = a.recv.size(1), H = a.recv.size(2), R = a.values.size(3);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kMessages, name, x, shape);
  };
  const bool listed = a.senders == Senders::Listed;
  if (listed && (!a.neighbours.defined() || a.neighbours.offsets.size(0) != B * N + 1))
    throw Error(
        "{}: the senders are listed, but 'neighbours' are not those of {} graphs of {} nodes",
        kMessages, B, N);
  check_channels(kMessages, a.value_gradients, R);
  const bool with_memory = a.delivery != Delivery::Nobody;
  return Messages::apply(
      take("recv", a.recv, {B, N, H}), take("send", a.send, {B, N, H}),
      take("values", a.values, {B, N, N, R}), take("rows", a.rows, {R, H}),
      take("w0", a.w0, {H, H}), take("b0", a.b0, {H}), take("w1", a.w1, {H, H}),
      take("b1", a.b1, {H}), with_memory ? take("memory", a.memory, {B, N, H}) : nothing(),
      room_for_messages(a), a.neighbours, MessageChoices{a.senders, a.delivery}, a.value_gradients);
}

}  // namespace npq::ops
