#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "npq/base/progress.h"
#include "npq/peptides/graph.h"
#include "npq/peptides/split.h"

namespace npq::peptides {

/// Molecules with their targets and their division into train, val and test.
struct Dataset {
  std::vector<Graph> graphs;
  std::vector<Targets> targets;  // as they came
  /// What standardised() takes off and divides by, per target.
  Targets mean = {}, deviation = {};
  Split split;
  /// Where the data are from: "source", "chemistry" (the RDKit that made the features), ...
  std::map<std::string, std::string> about;

  std::int64_t nodes() const;
  std::int64_t edges() const;
  /// (target - mean) / deviation: what networks learn.
  Targets standardised(std::size_t graph) const;
};

/// Sets mean and deviation (with n - 1) to those of all rows. A target that never varies is an
/// Error that names it and `source`.
void standardise(Dataset& dataset, const std::string& source);

/// One file, DIR/peptides.safetensors, written atomically.
std::filesystem::path dataset_file(const std::filesystem::path& folder);
void save_dataset(const std::filesystem::path& folder, const Dataset& dataset);

/// The same back. Nothing in the file is trusted: its checksum, every offset, every feature, every
/// index is checked, and what is wrong is one Error that names the file.
Dataset load_dataset(const std::filesystem::path& folder);
/// From bytes; `name` stands for the file in messages.
Dataset read_dataset(std::span<const std::byte> bytes, const std::string& name);

/// The SHA-256 that a data set states: what a run's config.json keeps of its data.
std::string dataset_checksum(const std::filesystem::path& folder);

}  // namespace npq::peptides
