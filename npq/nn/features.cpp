#include "npq/nn/features.h"

#include <ATen/ops/addmv.h>
#include <ATen/ops/mm.h>

namespace npq::nn {

at::Tensor EdgeFeatures::fold(const Linear& layer) const {
  const auto weight = layer.weight.narrow(0, 0, rows.size(1));              // [H, out]
  const auto folded = at::mm(rows, weight);                                 // [R, out]
  const auto offset = at::addmv(layer.bias, weight.transpose(0, 1), bias);  // [out]
  return affine(values, folded, offset);                                    // [B, N, N, out]
}

}  // namespace npq::nn
