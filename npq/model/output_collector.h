#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "npq/nn/decoders/decoder.h"

namespace npq::model {

/// Outputs count at step max(0, length - 2) of each sample: when the next true hint would be its
/// last. So instead of decoding them at every step and throwing most away, this keeps each sample's
/// features of that step.
class OutputCollector {
 public:
  explicit OutputCollector(const std::vector<std::int64_t>& lengths);

  /// To be called at every step, with the samples that are present.
  void collect(std::int64_t step, const nn::DecoderInput& input);
  /// Lets go of samples that are collected: the rows of those that stay, or nothing where none
  /// left.
  std::optional<at::Tensor> drop_collected();
  /// The kept features, samples in the order of the batch.
  nn::DecoderInput finish() const;

 private:
  std::vector<std::int64_t> wanted_;   // [B], the step of each sample
  std::vector<std::int64_t> order_;    // samples as collected
  std::vector<std::int64_t> present_;  // the sample of each row of what is collected from
  std::vector<nn::DecoderInput> parts_;
};

}  // namespace npq::model
