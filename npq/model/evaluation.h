#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "npq/model/batch.h"
#include "npq/model/model.h"

namespace npq::model {

struct Evaluation {
  nn::TensorMap raw;   // logits of the outputs
  nn::TensorMap hard;  // decided: indices for pointers, 0 or 1 for masks, one-hot rows
};

/// Without gradients, dropout or teacher forcing.
Evaluation evaluate(const Model& model, const TensorBatch& batch);

/// The benchmark's score of outputs, collected batch by batch as if all samples were one batch:
///   pointer                the share of right ones
///   mask_one, categorical  the share of right rows, among rows that are not masked
///   mask                   F1 over all elements that are not masked
///   scalar                 mean squared error
///   permutation pointer    with its `_mask` read as the pointer it stands for
class Scores {
 public:
  explicit Scores(const clrs::Spec& spec);

  void add(const nn::TensorMap& hard, const nn::TensorMap& truth);

  std::map<std::string, double> by_output() const;
  /// Their plain mean.
  double score() const;

 private:
  struct Tally {
    double right = 0, all = 0;                                         // or squared error and count
    double true_positive = 0, false_positive = 0, false_negative = 0;  // masks
  };
  clrs::Spec outputs_;
  std::map<std::string, Tally> tallies_;
};

}  // namespace npq::model
