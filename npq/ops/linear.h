#pragma once
#include <ATen/core/Tensor.h>

#include <string>

#include "npq/ops/parameter_store.h"

namespace npq::ops {

/// x W + b over the last axis, for any number of leading axes. x may have width 0: then b alone.
at::Tensor affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// Lin(in -> out): the parameters `name.w` [in, out] and `name.b` [out].
struct Linear {
  at::Tensor weight, bias;

  Linear() = default;
  Linear(const ParameterStore& store, const std::string& name);

  at::Tensor operator()(const at::Tensor& x) const { return affine(x, weight, bias); }
};

/// Over the last axis, with biased variance and 1e-5 inside the square root: `name.scale`,
/// `name.offset`.
struct LayerNorm {
  at::Tensor scale, offset;

  LayerNorm() = default;
  LayerNorm(const ParameterStore& store, const std::string& name);

  at::Tensor operator()(const at::Tensor& x) const;
};

/// The layer `name` of the store, applied.
inline at::Tensor linear(const ParameterStore& store, const std::string& name,
                         const at::Tensor& x) {
  return Linear(store, name)(x);
}

}  // namespace npq::ops
