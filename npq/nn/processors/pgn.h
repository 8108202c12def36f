#pragma once
#include "npq/nn/processors/processor.h"
#include "npq/nn/processors/triplets.h"

namespace npq::nn {

/// Pointer graph network: the family of deepsets, mpnn, pgn and their triplet and gated kin. With z
/// = (node, hidden), sender s on axis 1 and receiver r on axis 2:
///   M[b,s,r]  = m1(z)[b,r] + m2(z)[b,s] + me(edge)[b,s,r] + mg(graph)[b]
///   M        <- mlp1(relu(mlp0(relu(M))))
///   agg[b,r]  = max over s of M[b,s,r] where adjacent, else -1e6
///   ret       = LayerNorm(relu(o1(z) + o2(agg)))
///   gated:      ret * gate + hidden * (1 - gate),  gate = sigmoid(g3(relu(g1(z) + g2(agg))))
class Pgn : public Processor {
 public:
  static ops::ParameterSpecs parameters(const ProcessorOptions& options, std::int64_t hidden);
  Pgn(const ProcessorOptions& options, const ops::ParameterStore& store);

  Processed process(const Features& features, const at::Tensor& hidden,
                    const std::optional<MemoryMessages>& memory) const override;

  /// agg [B, N, H] from m1(z) and m2(z) [B, N, H], by the path that is active.
  at::Tensor messages(const at::Tensor& to, const at::Tensor& from, const Features& features,
                      const std::optional<MemoryMessages>& memory) const;

 private:
  /// By torch operations and by the fused kernel: the same function.
  at::Tensor composed_messages(const at::Tensor& to, const at::Tensor& from,
                               const Features& features,
                               const std::optional<MemoryMessages>& memory) const;
  at::Tensor fused_messages(const at::Tensor& to, const at::Tensor& from, const Features& features,
                            const std::optional<MemoryMessages>& memory) const;
  at::Tensor message_mlp(const at::Tensor& messages) const;
  at::Tensor with_memory(const at::Tensor& agg, const MemoryMessages& memory) const;
  at::Tensor gate(const NodeFeatures& z, const at::Tensor& agg) const;

  AdjacencyUse adjacency_;
  ops::Linear m1_, m2_, me_, mg_, mlp0_, mlp1_, o1_, o2_;
  std::optional<ops::LayerNorm> norm_;
  struct Gate {
    ops::Linear g1, g2, g3;
  };
  std::optional<Gate> gate_;
  std::optional<Triplets> triplets_;
};

}  // namespace npq::nn
