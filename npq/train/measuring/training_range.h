#pragma once
#include <map>
#include <string>
#include <vector>

#include "npq/clrs/trace/sample.h"
#include "npq/train/options.h"

namespace npq::train {

/// What a model has seen in training: how many nodes, and which numbers. Outside of it an answer is
/// a guess that no score speaks for.
class TrainingRange {
 public:
  /// Looks at the first samples of the training data.
  explicit TrainingRange(const TrainOptions& options);

  /// What of an input lies outside, a sentence each: numbers beyond those seen by more than a
  /// twentieth of their range, and more than four times as many nodes (the benchmark's own test).
  std::vector<std::string> outside(const clrs::Sample& sample) const;

 private:
  struct Range {
    double low, high;
  };
  std::map<std::string, Range> numbers_;  // by input probe
  int nodes_ = 0;                         // the most
};

}  // namespace npq::train
