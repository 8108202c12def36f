#pragma once
#include "npq/nn/features.h"
#include "npq/ops/parameter_spec.h"

namespace npq::nn {

/// Messages over triples of nodes, which only decoders of edges and pointers see:
///   Tr[b,i,j,k] = t1(z)[b,i] + t2(z)[b,j] + t3(z)[b,k]
///                 + te1(edge)[b,i,j] + te2(edge)[b,i,k] + te3(edge)[b,j,k] + tg(graph)[b]
///   out[b,j,k]  = relu(o3(max over i of Tr[b,i,j,k]))
/// Not masked by the adjacency.
class Triplets {
 public:
  static void add_parameters(ops::ParameterSpecs& specs, std::int64_t hidden,
                             std::int64_t features);
  explicit Triplets(const ops::ParameterStore& store);

  /// z [B, N, 2H] -> [B, N, N, H]
  at::Tensor operator()(const NodeFeatures& z, const Features& features) const;

 private:
  ops::Linear t1_, t2_, t3_, te1_, te2_, te3_, tg_, o3_;
};

/// max over i of left[b,i,j] + right[b,i,k], for [B, N, N, F] each: [B, j, k, F]; by the path that
/// is active.
at::Tensor max_of_sums(const at::Tensor& left, const at::Tensor& right);

}  // namespace npq::nn
