#include "npq/train/loop/average.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "npq/base/error.h"

namespace npq::train {

Average::Average(const NamedTensors& weights, double decay) : decay_(decay) {
  if (!is_kept()) return;
  for (const auto& [name, tensor] : weights) {
    NPQ_ASSERT(tensor.scalar_type() == at::kFloat);
    mean_.emplace_back(name, tensor.detach().clone(at::MemoryFormat::Contiguous));
  }
}

void Average::add(const NamedTensors& weights, std::int64_t step) {
  if (!is_kept()) return;
  NPQ_ASSERT(weights.size() == mean_.size());
  const auto t = static_cast<double>(step);
  const auto share = static_cast<float>(1 - std::min(decay_, (1 + t) / (10 + t)));
  for (std::size_t k = 0; k < mean_.size(); ++k) {
    const auto tensor = weights[k].second.contiguous();
    const auto* weight = tensor.data_ptr<float>();
    auto* mean = mean_[k].second.data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) mean[i] += share * (weight[i] - mean[i]);
  }
}

void Average::set_mean(const NamedTensors& mean) {
  NPQ_ASSERT(mean.size() == mean_.size());
  for (std::size_t k = 0; k < mean_.size(); ++k) mean_[k].second.copy_(mean[k].second);
}

}  // namespace npq::train
