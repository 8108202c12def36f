#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "npq/train/loop/trainer.h"

namespace npq::app {

struct TrainCommand;

/// How a run is shown while it trains.
struct ShownRun {
  std::string folder;
  bool resuming = false;
  bool quiet = false;
};

/// Trains a run of any kind to the end or to a Ctrl-C, with a title, progress and the words that go
/// with either.
train::Ending train_with_progress(train::Trainer& trainer, const ShownRun& shown);

/// npq train --seeds: one run after the other, each in its own folder, and a table of them all.
/// Finished runs stay, stopped ones go on.
int run_train_seeds(const TrainCommand& command, const nlohmann::json& about,
                    const std::shared_ptr<train::Ranks>& ranks);

}  // namespace npq::app
