#pragma once
#include <filesystem>

#include "npq/lrgb/learner.h"
#include "npq/train/checkpoints/checkpoint.h"

namespace npq::lrgb {

/// What a run remembers beside its learner.
struct Progress {
  std::int64_t best_epoch = -1;
  double best_val = -1, best_test = -1;  // of that epoch
  double seconds = 0;                    // spent so far
};

/// Parameters, and batch norm's statistics as statistics/K/mean and statistics/K/variance.
train::NamedTensors weights_of(const Learner& learner);

/// Parameters and statistics of another run, or of a file with `checksum` where that is not empty;
/// what does not fit is an Error with both shapes (see train/checkpoints/initial_weights.h). The
/// checksum.
std::string load_initial_weights(const std::string& run_or_file, const std::string& checksum,
                                 Learner& learner);

/// Everything that decides what is still to come, in one file (state.safetensors).
void save_run_state(const std::filesystem::path& path, const Learner& learner,
                    const Progress& progress);
/// The same back into a learner of the same options; only the number of epochs may have changed. A
/// state of another run, and one beyond the learner's last step, is an Error.
Progress load_run_state(const std::filesystem::path& path, Learner& learner);

}  // namespace npq::lrgb
