#pragma once
#include "app/engine/training/train_command.h"
#include "npq/train/loop/trainer.h"

namespace npq::app {

/// Trains to the end or to a Ctrl-C, and prints a title, progress and how it ended.
train::Ending train_with_progress(train::Trainer& trainer, const TrainCommand& command,
                                  const std::string& folder, bool resuming);

/// npq train --seeds: one run after the other, each in its own folder, and a table of them all.
/// Finished runs stay, stopped ones go on.
int run_train_seeds(const TrainCommand& command, const nlohmann::json& about);

}  // namespace npq::app
