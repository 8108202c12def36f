#pragma once
#include <cstdint>
#include <span>

#include "npq/clrs/catalog.h"
#include "npq/clrs/dataset/batch.h"
#include "npq/clrs/dataset/dataset.h"
#include "npq/model/batch.h"
#include "npq/train/options.h"

namespace npq::train {

/// An algorithm as a network learns it: its spec and batches after the benchmark's post-processing
/// (a constant `pred_h` is an input, permutations are pointers or matrices), and what an oracle
/// needs beside.
class Task {
 public:
  explicit Task(const TrainOptions& options);

  const clrs::Algorithm& algorithm() const { return *algorithm_; }
  const clrs::Spec& spec() const { return spec_; }

  /// Samples side by side, padded to the longest of them. An evaluation of outputs looks at the
  /// first step's hints alone, and those of all steps can be larger than everything else.
  enum class Hints { All, First };
  model::TensorBatch batch(std::span<const clrs::Sample* const> samples,
                           Hints hints = Hints::All) const;
  /// A batch that was made elsewhere; `samples` are those in it.
  model::TensorBatch batch(clrs::Batch batch) const;

  /// The sampler of validation sets: seed and count of the official split, which 16 nodes make.
  clrs::GenerateOptions validation_set(int length) const;
  /// The sampler of test sets: seed 3, the official count; 64 nodes make the official test split.
  clrs::GenerateOptions test_set(int length) const;

 private:
  void add_schedule(model::TensorBatch& tensors, const clrs::Batch& batch) const;

  const clrs::Algorithm* algorithm_;
  clrs::Spec spec_;
  bool enforce_permutations_;
  bool with_schedule_;
};

}  // namespace npq::train
