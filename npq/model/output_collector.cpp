#include "npq/model/output_collector.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "npq/base/error.h"

namespace npq::model {

OutputCollector::OutputCollector(const std::vector<std::int64_t>& lengths, Decode decode)
    : present_(lengths.size()), decode_(std::move(decode)) {
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

void OutputCollector::decode_collected() {
  if (parts_.empty()) return;
  auto kept = std::exchange(parts_, {});
  auto all = kept.size() == 1 ? std::move(kept[0]) : nn::DecoderInput::concatenated(kept);
  kept.clear();
  for (const auto& [name, output] : decode_(std::move(all))) decoded_[name].push_back(output);
}

nn::TensorMap OutputCollector::finish() {
  decode_collected();
  NPQ_ASSERT(order_.size() == wanted_.size());
  std::vector<std::int64_t> place(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place[order_[k]] = static_cast<std::int64_t>(k);
  const auto rows = at::tensor(place, at::kLong);
  const bool in_order = std::is_sorted(order_.begin(), order_.end());
  nn::TensorMap outputs;
  for (const auto& [name, pieces] : decoded_) {
    const auto all = pieces.size() == 1 ? pieces[0] : at::cat(pieces, 0);
    outputs[name] = in_order ? all : all.index_select(0, rows);
  }
  return outputs;
}

}  // namespace npq::model
