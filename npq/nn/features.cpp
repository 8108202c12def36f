#include "npq/nn/features.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/split_with_sizes.h>

namespace npq::nn {
namespace {

template <class Fold>
ops::Linear kept_or_new(FoldedLayers* kept, const std::vector<const ops::Linear*>& layers,
                        const Fold& fold) {
  if (kept == nullptr) return fold();
  std::vector<const c10::TensorImpl*> key;
  for (const auto* layer : layers) key.push_back(layer->weight.unsafeGetTensorImpl());
  const auto found = kept->find(key);
  return found == kept->end() ? kept->emplace(key, fold()).first->second : found->second;
}

/// The first H rows of the layer, folded.
ops::Linear folded_rows(const ops::Linear& layer, const at::Tensor& rows, const at::Tensor& bias) {
  const auto weight = layer.weight.narrow(0, 0, rows.size(1));  // [H, out]
  ops::Linear folded;
  folded.weight = at::mm(rows, weight);
  folded.bias = at::addmm(layer.bias, bias.unsqueeze(0), weight).squeeze(0);
  return folded;
}

/// The layer on a node's features and what is beside them.
ops::Linear folded_layer(const ops::Linear& layer, const NodeFeatures& node) {
  if (!node.rows.defined()) return layer;
  auto folded = folded_rows(layer, node.rows, node.bias);
  const auto width = node.rows.size(1);
  const auto more = layer.weight.narrow(0, width, layer.weight.size(0) - width);
  folded.weight = at::cat({folded.weight, more}, 0);
  return folded;
}

ops::Linear side_by_side(const std::vector<const ops::Linear*>& layers, const NodeFeatures& node) {
  if (layers.size() == 1) return folded_layer(*layers[0], node);
  std::vector<at::Tensor> weights, biases;
  for (const auto* layer : layers) {
    const auto folded = folded_layer(*layer, node);
    weights.push_back(folded.weight);
    biases.push_back(folded.bias);
  }
  ops::Linear joined;
  joined.weight = at::cat(weights, 1);
  joined.bias = at::cat(biases, 0);
  return joined;
}

}  // namespace

ops::Linear EdgeFeatures::folded(const ops::Linear& layer) const {
  return kept_or_new(kept.get(), {&layer}, [&] { return folded_rows(layer, rows, bias); });
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

std::vector<at::Tensor> NodeFeatures::through(const std::vector<const ops::Linear*>& layers) const {
  const auto joined = kept_or_new(kept.get(), layers, [&] { return side_by_side(layers, *this); });
  const auto product = joined(values);
  if (layers.size() == 1) return {product};
  std::vector<std::int64_t> widths;
  for (const auto* layer : layers) widths.push_back(layer->bias.size(0));
  return at::split_with_sizes(product, widths, -1);
}

at::Tensor NodeFeatures::all() const {
  if (!rows.defined()) return values;
  const auto channels = rows.size(0), width = values.size(-1);
  const auto features = ops::affine(values.narrow(-1, 0, channels), rows, bias);
  return at::cat({features, values.narrow(-1, channels, width - channels)}, -1);
}

NodeFeatures NodeFeatures::select(const at::Tensor& samples) const {
  return {values.index_select(0, samples), rows, bias, kept};
}

}  // namespace npq::nn
