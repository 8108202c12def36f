#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "npq/peptides/dataset.h"

namespace npq::peptides {

/// Molecules that were featurised elsewhere, each with its targets.
struct Featurised {
  std::vector<Graph> graphs;
  std::vector<Targets> targets;
};

/// What PyTorch saved of a list of tuples (x I64 [n,9], edge_attr I64 [m,3], edge_index I64 [2,m],
/// y F32 [1,11]): PyG's train.pt. A zip archive with a pickle, read as data: nothing in it is run,
/// any name outside PyTorch's tensors is refused, and every number is checked. `name` stands for
/// the file in messages.
Featurised read_featurised(std::span<const std::byte> bytes, const std::string& name);

/// train.pt, val.pt and test.pt, in a folder or in the published zip, as one data set in this
/// order. Targets stay as they are: they come standardised.
Dataset read_featurised_splits(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace npq::peptides
