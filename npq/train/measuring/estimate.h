#pragma once
#include <filesystem>
#include <string>

#include "npq/ops/parameter_spec.h"
#include "npq/train/options.h"

// What a training takes, known before any number exists.
namespace npq::train {

/// Bytes of a network's weights. In double, since huge widths would overflow.
double weight_bytes(const ops::ParameterSpecs& specs);

/// Bytes of memory that training takes at least: the weights, their mean where one is kept, their
/// gradients and Adam's two averages, one batch of data, the memory's slots, and what the steps of
/// the processor keep for the way back, which is kKeptPerNode numbers for each of N nodes, H
/// features and clrs::least_steps(), which is about T / 2. Measured with --dry-run (peak less 0.2 GB of the
/// program, per sample and per N T H numbers): gat 9 to 19, mpnn 17 to 28, triplet processors and
/// memories more.
inline constexpr double kKeptPerNode = 16;
double least_training_bytes(const TrainOptions& options);

/// A run folder has so many times its weights: best, last, their mean, and the state with that and
/// Adam's averages.
inline constexpr double kFolderOfWeights = 7;

/// An Error where memory does not suffice for the training; before anything is made.
void check_training_fits(const TrainOptions& options);
/// The same, and for the disk that `folder` lies on.
void check_training_fits(const TrainOptions& options, const std::string& folder);
/// The same for a run that goes on, perhaps on a smaller machine.
void check_resumed_training_fits(const std::filesystem::path& run);

/// An Error where a network of these options has far more weights than the file can hold: what a
/// file says of itself decides how much memory is taken.
void check_file_holds(const std::filesystem::path& file, const TrainOptions& options);

}  // namespace npq::train
