#pragma once
#include <cstdint>
#include <filesystem>

#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/stored_state.h"
#include "npq/train/loop/learner.h"

namespace npq::train {

/// What a run has come to, beside its learner.
struct RunProgress {
  std::int64_t best_at = -1;  // the step or epoch of the best validation; -1: none yet
  double best = -1;           // that validation
  double best_test = -1;      // the test result there, where it is measured on the way
  double seconds = 0;         // spent so far
};

/// Everything that decides what is still to come: parameters, optimiser, mean of the weights, step,
/// what the subject remembers, and the options it was made with.
struct RunState {
  NamedTensors tensors;
  Metadata fields;
};
RunState run_state(const Learner& learner, const RunProgress& progress);

/// The same in one file, state.safetensors.
void save_run_state(const std::filesystem::path& path, const Learner& learner,
                    const RunProgress& progress);

/// The same back into a learner of the same options; only those that a resumed run may change may
/// be others. A state of another run, and one beyond the learner's last step, is an Error, and the
/// learner is as before.
RunProgress load_run_state(const std::filesystem::path& path, Learner& learner);
RunProgress take_run_state(const StoredState& stored, Learner& learner);

}  // namespace npq::train
