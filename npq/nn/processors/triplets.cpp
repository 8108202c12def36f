#include "npq/nn/processors/triplets.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/relu.h>

#include <algorithm>
#include <string>
#include <vector>

#include "npq/ops/max_plus_op.h"
#include "npq/ops/path.h"

namespace npq::nn {
namespace {

// [B,N,N,N,F] of 256 nodes would take 17 GB; so many of its numbers exist at a time.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;

}  // namespace

at::Tensor max_of_sums(const at::Tensor& left, const at::Tensor& right) {
  if (ops::goes_fused(left)) return ops::fused_max_plus(left, right);
  const auto nodes = left.size(1);  // in blocks of j
  const auto block = std::clamp<std::int64_t>(kMostNumbers / (right.numel() + 1), 1, nodes);
  std::vector<at::Tensor> blocks;
  for (std::int64_t j = 0; j < nodes; j += block) {
    const auto part = left.narrow(2, j, std::min(block, nodes - j));
    blocks.push_back((part.unsqueeze(3) + right.unsqueeze(2)).amax(1));
  }
  return at::cat(blocks, 1);
}

void Triplets::add_parameters(ops::ParameterSpecs& specs, std::int64_t hidden,
                              std::int64_t features) {
  for (const std::string name : {"t1", "t2", "t3"}) {
    ops::add_linear(specs, "processor/" + name, 2 * hidden, features);
  }
  for (const std::string name : {"te1", "te2", "te3", "tg"}) {
    ops::add_linear(specs, "processor/" + name, hidden, features);
  }
  ops::add_linear(specs, "processor/o3", features, hidden);
}

Triplets::Triplets(const ops::ParameterStore& store)
    : t1_(store, "processor/t1"),
      t2_(store, "processor/t2"),
      t3_(store, "processor/t3"),
      te1_(store, "processor/te1"),
      te2_(store, "processor/te2"),
      te3_(store, "processor/te3"),
      tg_(store, "processor/tg"),
      o3_(store, "processor/o3") {}

at::Tensor Triplets::operator()(const NodeFeatures& z, const Features& features) const {
  // What does not depend on i stands outside the maximum.
  const auto with_j = z.through(t1_).unsqueeze(2) + features.edge.fold(te1_);  // [B, i, j, F]
  const auto with_k = features.edge.fold(te2_);                                // [B, i, k, F]
  const auto rest = z.through(t2_).unsqueeze(2) + z.through(t3_).unsqueeze(1) +
                    features.edge.fold(te3_) +
                    tg_(features.graph).unsqueeze(1).unsqueeze(1);  // [B, j, k, F]
  return at::relu(o3_(max_of_sums(with_j, with_k) + rest));         // [B, j, k, H]
}

}  // namespace npq::nn
