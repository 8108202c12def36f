#include "npq/train/loop/training_data.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/clrs/dataset/transforms.h"
#include "npq/ops/stream.h"

namespace npq::train {
namespace {

/// The nine edge probabilities of the benchmark's training script.
std::vector<double> training_probabilities(const clrs::Algorithm& algorithm) {
  if (algorithm.edge_probability == 0) return {};
  const bool sparse =
      algorithm.edge_probability < 0.5;  // articulation_points, bridges, mst_kruskal
  std::vector<double> p;
  for (int i = 0; i < 9; ++i) p.push_back((0.1 + 0.1 * i) / (sparse ? 2 : 1));
  return p;
}

std::vector<clrs::Sampler> make_samplers(const clrs::Algorithm& algorithm,
                                         const TrainOptions& options) {
  auto sizes = options.train_sizes;
  clrs::GenerateOptions wanted{.samples = -1};
  wanted.sampler.p = training_probabilities(algorithm);
  if (algorithm.family == clrs::Family::Strings) {  // one size, with needles of 1 to 8 characters
    sizes = {5 * *std::max_element(sizes.begin(), sizes.end()) / 4};
    wanted.sampler.length_needle = -8;
  }
  random::RandomState script(static_cast<std::uint32_t>(options.seed));
  script.next_u32();  // the script's first draw seeds its network
  std::vector<clrs::Sampler> samplers;
  for (const int size : sizes) {
    wanted.length = size;
    wanted.seed = script.next_u32();
    samplers.emplace_back(algorithm, wanted);
  }
  return samplers;
}

}  // namespace

TrainingData::TrainingData(const Task& task, const TrainOptions& options)
    : task_(&task),
      options_(options),
      positions_(static_cast<std::uint32_t>(ops::derive_seed(options.seed, "positions"))) {
  if (options.train_sizes.empty())
    official_ = clrs::generate(task.algorithm(),
                               clrs::official_split(task.algorithm(), clrs::Split::Train));
  else
    samplers_ = make_samplers(task.algorithm(), options);
}

clrs::Batch TrainingData::draw() {
  const auto number = drawn_++;
  clrs::Batch batch;
  if (official_) {
    const auto& samples = official_->samples;
    std::vector<const clrs::Sample*> chosen;
    int longest = 0;
    for (std::int64_t b = 0; b < options_.batch; ++b) {
      chosen.push_back(
          &samples[(number * options_.batch + b) % static_cast<std::int64_t>(samples.size())]);
      longest = std::max(longest, chosen.back()->length());
    }
    batch = clrs::make_batch(chosen, longest);
  } else {
    batch = samplers_[number % samplers_.size()].next(static_cast<int>(options_.batch));
  }
  if (options_.random_positions) clrs::randomize_positions(batch, positions_);
  return batch;
}

void TrainingData::prepare() {
  upcoming_ = std::async(std::launch::async, [this] { return task_->batch(draw()); });
}

model::TensorBatch TrainingData::next() {
  if (!upcoming_.valid()) prepare();
  auto batch = upcoming_.get();
  ++position_;
  prepare();
  return batch;
}

void TrainingData::seek(std::int64_t position) {
  NPQ_ASSERT(position >= position_);
  if (position == position_) return;
  if (upcoming_.valid()) {
    upcoming_.get();
    ++position_;
  }
  if (official_ && !options_.random_positions) {
    drawn_ = position_ = position;
    return;
  }
  for (; position_ < position; ++position_) draw();
}

}  // namespace npq::train
