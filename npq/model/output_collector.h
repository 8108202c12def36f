#pragma once
#include <cstdint>
#include <vector>

#include "npq/nn/decoders/decoder.h"

namespace npq::model {

/// Outputs count at step max(0, length - 2) of each sample: when the next true hint would be its
/// last. So instead of decoding them at every step and throwing most away, this keeps each sample's
/// features of that step.
class OutputCollector {
 public:
  explicit OutputCollector(const std::vector<std::int64_t>& lengths);

  /// To be called at every step.
  void collect(std::int64_t step, const nn::DecoderInput& input);
  /// The kept features, samples in the order of the batch.
  nn::DecoderInput finish() const;

 private:
  std::vector<std::int64_t> wanted_;  // [B], the step of each sample
  std::vector<std::int64_t> order_;   // samples as collected
  std::vector<nn::DecoderInput> parts_;
};

}  // namespace npq::model
