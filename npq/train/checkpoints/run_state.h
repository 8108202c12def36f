#pragma once
#include <cstdint>
#include <filesystem>

#include "npq/train/loop/learner.h"

namespace npq::train {

/// What a run remembers beside its learner.
struct Progress {
  double best_score = -1;
  std::int64_t best_step = -1;
  double seconds = 0;  // spent so far
};

/// Everything that decides what is still to come, in one file (state.safetensors): parameters,
/// optimiser, step, position in the data, and the options it was made with.
void save_run_state(const std::filesystem::path& path, const Learner& learner,
                    const Progress& progress);

/// The same back into a learner of the same options; only the number of steps may have changed. A
/// state of another run, and one beyond the learner's last step, is an Error.
Progress load_run_state(const std::filesystem::path& path, Learner& learner);

}  // namespace npq::train
