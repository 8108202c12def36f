#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "npq/lrgb/train_options.h"
#include "npq/train/loop/trainer.h"

// Runs on peptides, in run folders as `npq train` makes them. What counts is the test error of the
// epoch whose validation error is least.
namespace npq::lrgb {

/// A new one; see train::Trainer::start.
std::unique_ptr<train::Trainer> start_run(const std::filesystem::path& folder, TrainOptions options,
                                          const nlohmann::json& about);
/// Goes on with one, with these options from there on (those that the table marks as changeable).
/// Other data than it began with are an Error.
std::unique_ptr<train::Trainer> resume_run(const std::filesystem::path& folder,
                                           const GivenOptions& changes = {});

}  // namespace npq::lrgb
