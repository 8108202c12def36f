#include "npq/ops/linear.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/layer_norm.h>

#include "npq/ops/affine_op.h"
#include "npq/ops/path.h"

namespace npq::ops {

at::Tensor affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (ops::goes_fused(x)) return ops::fused_affine(x, weight, bias);
  auto sizes = x.sizes().vec();
  sizes.pop_back();
  std::int64_t rows = 1;
  for (const auto size : sizes) rows *= size;
  sizes.push_back(weight.size(1));
  return at::addmm(bias, x.reshape({rows, weight.size(0)}), weight).reshape(sizes);
}

Linear::Linear(const ParameterStore& store, const std::string& name)
    : weight(store.at(name + ".w")), bias(store.at(name + ".b")) {}

LayerNorm::LayerNorm(const ParameterStore& store, const std::string& name)
    : scale(store.at(name + ".scale")), offset(store.at(name + ".offset")) {}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, {scale.size(0)}, scale, offset, 1e-5);
}

}  // namespace npq::ops
