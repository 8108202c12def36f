#include "npq/model/output_collector.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <numeric>

#include "npq/base/error.h"

namespace npq::model {

OutputCollector::OutputCollector(const std::vector<std::int64_t>& lengths)
    : present_(lengths.size()) {
  for (const auto length : lengths) wanted_.push_back(std::max<std::int64_t>(0, length - 2));
  std::iota(present_.begin(), present_.end(), 0);
}

void OutputCollector::collect(std::int64_t step, const nn::DecoderInput& input) {
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < present_.size(); ++row) {
    if (wanted_[present_[row]] != step) continue;
    rows.push_back(static_cast<std::int64_t>(row));
    order_.push_back(present_[row]);
  }
  if (rows.empty()) return;
  const bool all = rows.size() == present_.size();
  parts_.push_back(all ? input : input.select(at::tensor(rows, at::kLong)));
}

std::optional<at::Tensor> OutputCollector::drop_collected() {
  std::vector<std::int64_t> rows, staying;
  for (std::size_t row = 0; row < present_.size(); ++row) {
    if (std::find(order_.begin(), order_.end(), present_[row]) != order_.end()) continue;
    rows.push_back(static_cast<std::int64_t>(row));
    staying.push_back(present_[row]);
  }
  if (staying.size() == present_.size()) return std::nullopt;
  present_ = std::move(staying);
  return at::tensor(rows, at::kLong);
}

nn::DecoderInput OutputCollector::finish() const {
  NPQ_ASSERT(order_.size() == wanted_.size());
  if (parts_.size() == 1) return parts_[0];
  std::vector<std::int64_t> place(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place[order_[k]] = static_cast<std::int64_t>(k);
  return nn::DecoderInput::concatenated(parts_).select(at::tensor(place, at::kLong));
}

}  // namespace npq::model
