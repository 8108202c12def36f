#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "npq/clrs/dataset/batch.h"
#include "npq/clrs/dataset/dataset.h"

namespace npq::clrs {

/// Batches as the benchmark's sampler hands them out.
///
/// Stored: `options.samples` samples are made at once; next() gives all, next(B) draws B of them
/// with replacement from the stream that made them. On the fly (samples < 0): every next(B) makes B
/// new samples; the constructor first makes and drops 1000, as the benchmark does, to learn how
/// long trajectories get (`track_max_steps` false skips that: newer versions only).
class Sampler {
 public:
  Sampler(const Algorithm& algorithm, const GenerateOptions& options, bool track_max_steps = true);

  /// The position of samples on the fly, and a sampler of the same options that goes on from there.
  struct Position {
    random::RandomState::State random;
    int max_steps = 0;
  };
  Position position() const { return {random_.state(), max_steps_}; }
  Sampler(const Algorithm& algorithm, const GenerateOptions& options, bool track_max_steps,
          const Position& position);

  Batch next();
  Batch next(int batch_size);

  int max_steps() const { return max_steps_; }
  /// The indices that the last next(B) drew from a stored dataset.
  const std::vector<std::int64_t>& drawn() const { return drawn_; }

 private:
  Batch next_on_the_fly(int batch_size);

  const Algorithm* algorithm_;
  GenerateOptions options_;
  bool track_max_steps_;
  std::optional<Dataset> dataset_;  // stored only
  random::RandomState random_;
  int max_steps_ = 0;
  std::vector<std::int64_t> drawn_;
};

}  // namespace npq::clrs
