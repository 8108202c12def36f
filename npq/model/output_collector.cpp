#include "npq/model/output_collector.h"

#include <ATen/ops/tensor.h>

#include <algorithm>

#include "npq/base/error.h"

namespace npq::model {

OutputCollector::OutputCollector(const std::vector<std::int64_t>& lengths) {
  for (const auto length : lengths) wanted_.push_back(std::max<std::int64_t>(0, length - 2));
}

void OutputCollector::collect(std::int64_t step, const nn::DecoderInput& input) {
  std::vector<std::int64_t> samples;
  for (std::size_t b = 0; b < wanted_.size(); ++b) {
    if (wanted_[b] == step) samples.push_back(static_cast<std::int64_t>(b));
  }
  if (samples.empty()) return;
  const bool all = samples.size() == wanted_.size();
  parts_.push_back(all ? input : input.select(at::tensor(samples, at::kLong)));
  order_.insert(order_.end(), samples.begin(), samples.end());
}

nn::DecoderInput OutputCollector::finish() const {
  NPQ_ASSERT(order_.size() == wanted_.size());
  if (parts_.size() == 1) return parts_[0];
  std::vector<std::int64_t> place(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place[order_[k]] = static_cast<std::int64_t>(k);
  return nn::DecoderInput::concatenated(parts_).select(at::tensor(place, at::kLong));
}

}  // namespace npq::model
