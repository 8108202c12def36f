#include "npq/clrs/dataset/chunker.h"

#include <algorithm>
#include <utility>

#include "npq/base/error.h"

namespace npq::clrs {

Chunker::Chunker(std::function<Batch()> source, int steps)
    : source_(std::move(source)), steps_(steps) {
  if (steps < 1) throw UsageError("chunks of {} steps were asked for; expected at least 1", steps);
}

std::int64_t Chunker::unused_steps(const Lane& lane, std::int64_t b) const {
  std::int64_t left = -lane.step;
  for (std::size_t k = lane.batch; k < batches_.size(); ++k)
    left += static_cast<std::int64_t>(batches_[k].lengths[b]);
  return left;
}

Chunk Chunker::next() {
  const auto short_of_steps = [&] {
    for (std::size_t b = 0; b < lanes_.size(); ++b)
      if (unused_steps(lanes_[b], b) < steps_) return true;
    return lanes_.empty();
  };
  while (short_of_steps()) {
    batches_.push_back(source_());
    if (lanes_.empty()) lanes_.resize(batches_.back().size());
    if (batches_.back().lengths.size() != lanes_.size())
      throw UsageError("chunking needs batches of one size; got {} after {}",
                       batches_.back().size(), lanes_.size());
  }

  const Batch& shapes = batches_.front();
  const auto lanes = static_cast<std::int64_t>(lanes_.size());
  const auto prepare = [&](const std::vector<Array>& from, std::vector<Array>& to) {
    for (const auto& array : from) {
      const std::size_t skipped = array.probe.stage == Stage::Hint ? 2 : 1;
      Array chunked{.probe = array.probe,
                    .shape = {array.shape.begin() + skipped, array.shape.end()}};
      std::int64_t width = 1;
      for (const auto dim : chunked.shape) width *= dim;
      chunked.shape.insert(chunked.shape.begin(), {steps_, lanes});
      chunked.values.resize(steps_ * lanes * width);
      to.push_back(std::move(chunked));
    }
  };
  Chunk chunk;
  prepare(shapes.inputs, chunk.inputs);
  prepare(shapes.hints, chunk.hints);
  prepare(shapes.outputs, chunk.outputs);
  chunk.is_first.resize(steps_ * lanes);
  chunk.is_last.resize(steps_ * lanes);

  const auto copy = [&](const std::vector<Array>& from, std::vector<Array>& to, std::int64_t row,
                        std::int64_t at) {
    for (std::size_t k = 0; k < from.size(); ++k) {
      const auto width = static_cast<std::int64_t>(to[k].values.size()) / (steps_ * lanes);
      std::copy_n(from[k].values.begin() + row * width, width, to[k].values.begin() + at * width);
    }
  };
  for (std::int64_t b = 0; b < lanes; ++b) {
    Lane& lane = lanes_[b];
    for (int c = 0; c < steps_; ++c) {
      const Batch& batch = batches_[lane.batch];
      const std::int64_t at = c * lanes + b;
      copy(batch.inputs, chunk.inputs, b, at);
      copy(batch.outputs, chunk.outputs, b, at);
      copy(batch.hints, chunk.hints, lane.step * lanes + b, at);
      chunk.is_first[at] = lane.step == 0;
      chunk.is_last[at] = lane.step + 1 == batch.lengths[b];
      if (++lane.step == batch.lengths[b]) lane = {lane.batch + 1, 0};
    }
  }
  const auto done =
      std::min_element(lanes_.begin(), lanes_.end(), [](const Lane& a, const Lane& b) {
        return a.batch < b.batch;
      })->batch;
  batches_.erase(batches_.begin(), batches_.begin() + done);
  for (auto& lane : lanes_) lane.batch -= done;
  return chunk;
}

}  // namespace npq::clrs
