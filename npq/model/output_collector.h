#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "npq/nn/decoders/decoder.h"
#include "npq/nn/values.h"

namespace npq::model {

/// Outputs count at step max(0, length - 2) of each sample: when the next true hint would be its
/// last. So instead of decoding them at every step and throwing most away, this keeps each sample's
/// features of that step.
class OutputCollector {
 public:
  using Decode = std::function<nn::TensorMap(nn::DecoderInput)>;  // outputs [B, ...] by name

  OutputCollector(const std::vector<std::int64_t>& lengths, Decode decode);

  /// To be called at every step, with the samples that are present.
  void collect(std::int64_t step, const nn::DecoderInput& input);
  /// Lets go of samples that are collected: the rows of those that stay, or nothing where none
  /// left.
  std::optional<at::Tensor> drop_collected();
  /// Decodes what is kept, whose memory can go then; `finish` does it for the rest. One call for
  /// all samples is faster, but their edges of all steps are much to keep.
  void decode_collected();
  /// The outputs, samples in the order of the batch.
  nn::TensorMap finish();

 private:
  std::vector<std::int64_t> wanted_;   // [B], the step of each sample
  std::vector<std::int64_t> order_;    // samples as collected
  std::vector<std::int64_t> present_;  // the sample of each row of what is collected from
  std::vector<nn::DecoderInput> parts_;
  Decode decode_;
  std::map<std::string, std::vector<at::Tensor>> decoded_;
};

}  // namespace npq::model
