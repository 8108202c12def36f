#pragma once
#include "app/engine/training/train_command.h"
#include "npq/train/loop/trainer.h"

namespace npq::app {

/// Trains to the end or to a Ctrl-C, with a title, progress and the words that go with either.
train::Ending train_with_progress(train::Trainer& trainer, const TrainCommand& command,
                                  const std::string& folder, bool resuming);

/// npq train --seeds: one run after the other, each in its own folder, and a table of them all.
/// What is finished stays, what was stopped goes on.
int run_train_seeds(const TrainCommand& command, const nlohmann::json& about);

}  // namespace npq::app
