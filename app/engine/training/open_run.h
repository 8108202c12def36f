#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/engine/training/train_command.h"
#include "npq/train/loop/trainer.h"

namespace npq::app {

/// The run of this command in `folder`, whether it is new, stopped or shorter than asked for now;
/// nothing if it is finished. Another run there is an Error.
std::unique_ptr<train::Trainer> open_run(const TrainCommand& command, const std::string& folder,
                                         const nlohmann::json& about,
                                         const std::shared_ptr<train::Ranks>& ranks,
                                         bool& resuming);

/// Whether Slurm starts this job again, after a failed node or a preemption: what the first turn
/// has left is to be continued.
bool is_requeued();

}  // namespace npq::app
