#include "npq/ops/sparse/edge_attention_op.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/ops/fused.h"
#include "npq/ops/saved.h"

namespace npq::ops {
namespace {

using SharedEdges = std::shared_ptr<const kernels::EdgeLists>;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class T>
kernels::EdgeAttentionInputs<T> inputs(const kernels::EdgeLists& edges, const variable_list& in) {
  return {edges, in[0].size(1), in[0].data_ptr<T>(), in[1].data_ptr<T>(), in[2].data_ptr<T>()};
}

class EdgeAttention : public torch::autograd::Function<EdgeAttention> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& left, const at::Tensor& right,
                            const at::Tensor& att, const SharedEdges& edges) {
    const auto out = at::empty_like(left);
    const auto weights = at::empty({edges->edges()}, left.options());
    const variable_list saved = {left, right, att, weights};
    float_or_double(left, [&]<class T>(T) {
      kernels::edge_attention_forward(inputs<T>(*edges, saved), weights.data_ptr<T>(),
                                      out.data_ptr<T>(), kernel_threads());
    });
    ctx->saved_data["edges"] = saved_value(edges);
    ctx->save_for_backward(saved);
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives("edge_attention");
    const auto saved = ctx->get_saved_variables();
    const auto edges = loaded_value<SharedEdges>(ctx->saved_data["edges"]);
    const auto &left = saved[0], &weights = saved[3];
    const auto dout = outputs[0].contiguous();
    const auto dleft = at::empty_like(left), dright = at::empty_like(left),
               datt = at::empty_like(saved[2]), dscore = at::empty_like(weights);
    float_or_double(left, [&]<class T>(T) {
      kernels::edge_attention_backward<T>(
          inputs<T>(*edges, saved), weights.data_ptr<T>(), dout.data_ptr<T>(), dscore.data_ptr<T>(),
          {dleft.data_ptr<T>(), dright.data_ptr<T>(), datt.data_ptr<T>()}, kernel_threads());
    });
    return {dleft, dright, datt, {}};
  }
};

}  // namespace

at::Tensor edge_attention(const SharedEdges& edges, const at::Tensor& left, const at::Tensor& right,
                          const at::Tensor& att) {
  NPQ_ASSERT(left.size(0) == edges->nodes() && left.sizes() == right.sizes());
  return EdgeAttention::apply(left.contiguous(), right.contiguous(), att.contiguous(), edges);
}

}  // namespace npq::ops
