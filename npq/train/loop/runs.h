#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "npq/train/loop/trainer.h"
#include "npq/train/options.h"

// Runs that learn an algorithm.
namespace npq::train {

/// A new one; see Trainer::start. All ranks train with the options of rank 0.
std::unique_ptr<Trainer> start_run(const std::filesystem::path& folder, TrainOptions options,
                                   const nlohmann::json& about,
                                   std::shared_ptr<Ranks> ranks = std::make_shared<Ranks>());
/// Goes on with one, with these options from there on (those that the table marks as changeable).
std::unique_ptr<Trainer> resume_run(const std::filesystem::path& folder,
                                    const GivenOptions& changes = {},
                                    std::shared_ptr<Ranks> ranks = std::make_shared<Ranks>());

}  // namespace npq::train
