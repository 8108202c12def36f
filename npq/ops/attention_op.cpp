#include "npq/ops/attention_op.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/kernels/attention/attention.h"
#include "npq/ops/channels.h"
#include "npq/ops/fused.h"

namespace npq::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kAttention = "fused_attention";

class AttentionFunction : public torch::autograd::Function<AttentionFunction> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& own, const at::Tensor& other,
                            const at::Tensor& values, const at::Tensor& rows,
                            const at::Tensor& combine, const at::Tensor& messages,
                            const NeighbourTensors& neighbours, std::int64_t heads,
                            const std::vector<bool>& value_gradients) {
    const auto agg = at::empty(messages.sizes(), messages.options());
    const auto norms = at::empty({own.size(0), own.size(1), heads, 2}, own.options());
    const variable_list saved = {
        own, other, values, rows, combine, messages, norms, neighbours.offsets, neighbours.list};
    kernels::attention_forward(shape(saved, heads), inputs(saved), mutable_numbers(agg),
                               mutable_numbers(norms), kernel_threads());
    ctx->save_for_backward(saved);
    ctx->saved_data["heads"] = heads;
    ctx->saved_data["channels"] = saved_channels(value_gradients);
    return agg;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kAttention);
    const auto saved = ctx->get_saved_variables();
    const auto channels = loaded_channels(ctx->saved_data["channels"]);
    variable_list g(9);
    for (std::size_t i = 0; i < 6; ++i) g[i] = gradient_like(saved[i], ctx->needs_input_grad(i));
    const kernels::AttentionGradients<float> pointers = {
        .own = mutable_numbers(g[0]),
        .other = mutable_numbers(g[1]),
        .x = mutable_numbers(g[2]),
        .c = mutable_numbers(g[3]),
        .a = saved[4].numel() == 0 ? nullptr : mutable_numbers(g[4]),
        .values = mutable_numbers(g[5]),
        .x_channels = channel_marks(channels)};
    kernels::attention_backward(shape(saved, ctx->saved_data["heads"].toInt()), inputs(saved),
                                numbers(saved[6]), numbers(outputs[0].contiguous()), pointers,
                                kernel_threads());
    return g;
  }

 private:
  static kernels::AttentionShape shape(const variable_list& saved, std::int64_t heads) {
    return {.batch = static_cast<int>(saved[0].size(0)),
            .nodes = static_cast<int>(saved[0].size(1)),
            .hidden = static_cast<int>(saved[5].size(2)),
            .channels = static_cast<int>(saved[2].size(3)),
            .heads = static_cast<int>(heads),
            .width = static_cast<int>(saved[0].size(2) / heads)};
  }
  static kernels::AttentionInputs<float> inputs(const variable_list& saved) {
    kernels::AttentionInputs<float> in = {.own = numbers(saved[0]),
                                          .other = numbers(saved[1]),
                                          .x = numbers(saved[2]),
                                          .c = numbers(saved[3]),
                                          .a = saved[4].numel() == 0 ? nullptr : numbers(saved[4]),
                                          .values = numbers(saved[5])};
    if (saved[7].defined()) in.neighbours = NeighbourTensors{saved[7], saved[8]}.view();
    return in;
  }
};

}  // namespace

at::Tensor fused_attention(const AttentionArguments& a) {
  check_axes(kAttention, "own", a.own, 3), check_axes(kAttention, "values", a.values, 4);
  check_axes(kAttention, "messages", a.messages, 3);
  const auto B = a.own.size(0), N = a.own.size(1), KD = a.own.size(2), R = a.values.size(3);
  const auto H = a.messages.size(2);
  if (a.heads < 1 || H % a.heads != 0 || KD % a.heads != 0)
    throw Error("{}: {} heads divide neither {} messages nor {} logit numbers", kAttention, a.heads,
                H, KD);
  if (!a.combine.defined() && KD != a.heads)
    throw Error("{}: 'combine' is missing; it may be where a head has one logit number, not {}",
                kAttention, KD / a.heads);
  if (a.neighbours.defined() && a.neighbours.offsets.size(0) != B * N + 1)
    throw Error("{}: 'neighbours' are not those of {} graphs of {} nodes", kAttention, B, N);
  check_channels(kAttention, a.value_gradients, R);
  const auto take = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    return checked(kAttention, name, x, shape);
  };
  return AttentionFunction::apply(
      take("own", a.own, {B, N, KD}), take("other", a.other, {B, N, KD}),
      take("values", a.values, {B, N, N, R}), take("rows", a.rows, {R, KD}),
      a.combine.defined() ? take("combine", a.combine, {KD}) : nothing(),
      take("messages", a.messages, {B, N, H}), a.neighbours, a.heads, a.value_gradients);
}

}  // namespace npq::ops
