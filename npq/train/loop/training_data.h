#pragma once
#include <cstdint>
#include <future>
#include <optional>
#include <vector>

#include "npq/clrs/dataset/dataset.h"
#include "npq/clrs/dataset/sampler.h"
#include "npq/train/options.h"
#include "npq/train/task.h"

namespace npq::train {

/// The batches of a run, one after the other, without end. By default the official train split in
/// generation order, batches running across the ends of epochs; with `train_sizes` new samples of
/// each size in turn, seeded as the benchmark's script seeds them.
class TrainingData {
 public:
  TrainingData(const Task& task, const TrainOptions& options);
  TrainingData(const TrainingData&) = delete;  // another thread may be at work on it
  TrainingData& operator=(const TrainingData&) = delete;

  /// The next batch; the one behind it is prepared on another thread meanwhile.
  model::TensorBatch next();

  /// Batches handed out so far.
  std::int64_t position() const { return position_; }
  /// Goes on behind the first `position` batches: what is drawn on the fly is drawn again, so the
  /// stream is the same.
  void seek(std::int64_t position);

 private:
  clrs::Batch draw();
  void prepare();

  const Task* task_;
  TrainOptions options_;
  std::optional<clrs::Dataset> official_;
  std::vector<clrs::Sampler> samplers_;  // on the fly: one per size
  random::RandomState positions_;        // of random `pos`
  std::int64_t drawn_ = 0, position_ = 0;
  std::future<model::TensorBatch> upcoming_;  // last: it is waited for before what it uses goes
};

}  // namespace npq::train
