#include "npq/nn/features.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>

namespace npq::nn {

EdgeFeatures::Folded EdgeFeatures::folded(const Linear& layer) const {
  const auto weight = layer.weight.narrow(0, 0, rows.size(1));  // [H, out]
  return {at::mm(rows, weight), at::addmm(layer.bias, bias.unsqueeze(0), weight).squeeze(0)};
}

at::Tensor EdgeFeatures::fold(const Linear& layer) const {
  const auto [folded_rows, offset] = folded(layer);
  return affine(values, folded_rows, offset);  // [B, N, N, out]
}

}  // namespace npq::nn
