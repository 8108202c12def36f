#pragma once
#include <vector>

#include "npq/nn/processors/processor.h"
#include "npq/ops/attention_op.h"

namespace npq::nn {

/// What both attention processors share. Receiver i is axis 1 here, sender j axis 2: the opposite
/// of Pgn.
///   V       = m(z), in heads
///   c       = softmax over j of logits[b,h,i,j], not adjacent pairs lowered by 1e9
///   agg[b,i] = sum over j of c[b,h,i,j] V[b,j,h], heads side by side
///   ret     = LayerNorm(relu(agg + skip(z)))
/// A memory's message is added to agg with weight 1; it is not attended over.
class Attention : public Processor {
 public:
  Processed process(const Features& features, const at::Tensor& hidden,
                    const std::optional<MemoryMessages>& memory) const override;

  /// agg [B, N, H], by the path that is active.
  at::Tensor attend(const NodeFeatures& z, const Features& features) const;

 protected:
  static ops::ParameterSpecs shared_parameters(const ProcessorOptions& options,
                                               std::int64_t hidden);
  Attention(const ProcessorOptions& options, const ops::ParameterStore& store);

  /// [B, K, N, N] from z = (node, hidden).
  virtual at::Tensor logits(const NodeFeatures& z, const Features& features) const = 0;
  /// The same for the fused kernel: what logits are made of.
  virtual ops::AttentionArguments terms(const NodeFeatures& z, const Features& features) const = 0;

  std::int64_t heads_;

 private:
  /// By torch operations and by the fused kernel: the same function.
  at::Tensor composed_attention(const NodeFeatures& z, const Features& features) const;
  at::Tensor fused_attention(const NodeFeatures& z, const Features& features) const;

  AdjacencyUse adjacency_;
  ops::Linear m_, skip_;
  std::optional<ops::LayerNorm> norm_;
};

/// logits = leaky_relu(a1(z)[b,i,h] + a2(z)[b,j,h] + ae(edge)[b,i,j,h] + ag(graph)[b,h])
class Gat : public Attention {
 public:
  static ops::ParameterSpecs parameters(const ProcessorOptions& options, std::int64_t hidden);
  Gat(const ProcessorOptions& options, const ops::ParameterStore& store);

 private:
  at::Tensor logits(const NodeFeatures& z, const Features& features) const override;
  ops::AttentionArguments terms(const NodeFeatures& z, const Features& features) const override;
  ops::Linear a1_, a2_, ae_, ag_;
};

/// P[b,i,j] = w1(z)[b,j] + w2(z)[b,i] + we(edge)[b,i,j] + wg(graph)[b], its features split into
/// heads; logits = ah_h(leaky_relu(P_h))
class Gatv2 : public Attention {
 public:
  static ops::ParameterSpecs parameters(const ProcessorOptions& options, std::int64_t hidden);
  Gatv2(const ProcessorOptions& options, const ops::ParameterStore& store);

 private:
  at::Tensor logits(const NodeFeatures& z, const Features& features) const override;
  ops::AttentionArguments terms(const NodeFeatures& z, const Features& features) const override;
  ops::Linear w1_, w2_, we_, wg_;
  std::vector<ops::Linear> ah_;
};

}  // namespace npq::nn
