#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "npq/train/checkpoints/model_files.h"
#include "npq/train/network.h"
#include "npq/train/options.h"

namespace npq::train {

/// Parameters in a file, and the options of the network that they belong to.
struct StoredModel {
  std::string name;  // "best", "last", "average", or that of a file outside a run
  std::filesystem::path file;
  std::int64_t step = 0;  // of the update behind which it was saved
  TrainOptions options;
};

/// The models of a run folder, or the one in a checkpoint file, see find_model_files. A file that
/// belongs to another run is an Error.
std::vector<StoredModel> find_models(const std::filesystem::path& run, Which which);

/// The network with these parameters. A damaged file or one of another shape is an Error.
std::unique_ptr<Network> load_network(const StoredModel& model);

}  // namespace npq::train
