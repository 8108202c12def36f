#include "npq/ops/sparse/norm_relu_unit_op.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <memory>

#include "npq/kernels/norm_relu_unit/norm_relu_unit.h"
#include "npq/ops/fused.h"
#include "npq/ops/saved.h"

namespace npq::ops {
namespace {

using SharedMoments = std::shared_ptr<const kernels::ColumnMoments>;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class T>
kernels::NormReluUnitInputs<T> inputs(const variable_list& in,
                                      const kernels::ColumnMoments& moments, double eps) {
  return {in[0].size(0),       in[0].size(1),      moments, eps, in[0].data_ptr<T>(),
          in[1].data_ptr<T>(), in[2].data_ptr<T>()};
}

class NormReluUnitFunction : public torch::autograd::Function<NormReluUnitFunction> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& scale,
                            const at::Tensor& offset, const SharedMoments& moments, double eps) {
    const auto out = at::empty_like(x), lengths = at::empty({x.size(0)}, x.options());
    const variable_list saved = {x, scale, offset, out, lengths};
    float_or_double(x, [&]<class T>(T) {
      kernels::norm_relu_unit_forward(inputs<T>(saved, *moments, eps), out.data_ptr<T>(),
                                      lengths.data_ptr<T>(), kernel_threads());
    });
    ctx->save_for_backward(saved);
    ctx->saved_data["moments"] = saved_value(moments);
    ctx->saved_data["eps"] = eps;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives("norm_relu_unit");
    const auto saved = ctx->get_saved_variables();
    const auto moments = loaded_value<SharedMoments>(ctx->saved_data["moments"]);
    const double eps = ctx->saved_data["eps"].toDouble();
    const auto gradient = outputs[0].contiguous();
    const auto dx = at::empty_like(saved[0]), dscale = at::empty_like(saved[1]),
               doffset = at::empty_like(saved[2]);
    float_or_double(saved[0], [&]<class T>(T) {
      kernels::norm_relu_unit_backward<T>(
          inputs<T>(saved, *moments, eps), saved[3].data_ptr<T>(), saved[4].data_ptr<T>(),
          gradient.data_ptr<T>(), {dx.data_ptr<T>(), dscale.data_ptr<T>(), doffset.data_ptr<T>()},
          kernel_threads());
    });
    return {dx, dscale, doffset, {}, {}};
  }
};

at::Tensor column(const std::vector<double>& numbers) {
  const auto tensor = at::empty({static_cast<std::int64_t>(numbers.size())}, at::kDouble);
  std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<double>());
  return tensor;
}

}  // namespace

NormReluUnit norm_relu_unit(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                            double eps) {
  const auto given = x.contiguous();
  SharedMoments moments;
  float_or_double(given, [&]<class T>(T) {
    moments = std::make_shared<const kernels::ColumnMoments>(kernels::column_moments(
        given.data_ptr<T>(), given.size(0), given.size(1), kernel_threads()));
  });
  return {NormReluUnitFunction::apply(given, scale, offset, moments, eps), column(moments->mean),
          column(moments->variance)};
}

}  // namespace npq::ops
