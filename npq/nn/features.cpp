#include "npq/nn/features.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mm.h>

namespace npq::nn {
namespace {

template <class Fold>
Linear kept_or_new(FoldedLayers* kept, const Linear& layer, const Fold& fold) {
  if (kept == nullptr) return fold();
  const auto* key = layer.weight.unsafeGetTensorImpl();
  const auto found = kept->find(key);
  return found == kept->end() ? kept->emplace(key, fold()).first->second : found->second;
}

/// The first H rows of the layer, folded.
Linear folded_rows(const Linear& layer, const at::Tensor& rows, const at::Tensor& bias) {
  const auto weight = layer.weight.narrow(0, 0, rows.size(1));  // [H, out]
  Linear folded;
  folded.weight = at::mm(rows, weight);
  folded.bias = at::addmm(layer.bias, bias.unsqueeze(0), weight).squeeze(0);
  return folded;
}

}  // namespace

Linear EdgeFeatures::folded(const Linear& layer) const {
  return kept_or_new(kept.get(), layer, [&] { return folded_rows(layer, rows, bias); });
}

EdgeFeatures EdgeFeatures::select(const at::Tensor& samples) const {
  auto chosen = *this;
  chosen.values = values.index_select(0, samples);
  return chosen;
}

NodeFeatures NodeFeatures::beside(const std::vector<at::Tensor>& more) const {
  auto all = more;
  all.insert(all.begin(), values);
  return {at::cat(all, -1), rows, bias, kept};
}

at::Tensor NodeFeatures::through(const Linear& layer) const {
  if (!rows.defined()) return layer(values);
  return kept_or_new(kept.get(), layer, [&] {
    auto folded = folded_rows(layer, rows, bias);
    const auto width = rows.size(1);
    const auto more = layer.weight.narrow(0, width, layer.weight.size(0) - width);
    folded.weight = at::cat({folded.weight, more}, 0);
    return folded;
  })(values);
}

at::Tensor NodeFeatures::all() const {
  if (!rows.defined()) return values;
  const auto channels = rows.size(0), width = values.size(-1);
  const auto features = affine(values.narrow(-1, 0, channels), rows, bias);
  return at::cat({features, values.narrow(-1, channels, width - channels)}, -1);
}

NodeFeatures NodeFeatures::select(const at::Tensor& samples) const {
  return {values.index_select(0, samples), rows, bias, kept};
}

}  // namespace npq::nn
