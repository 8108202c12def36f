#include "npq/train/loop/runs.h"

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/train/checkpoints/initial_weights.h"
#include "npq/train/loop/algorithm_subject.h"

namespace npq::train {

std::unique_ptr<Trainer> start_run(const std::filesystem::path& folder, TrainOptions options,
                                   const nlohmann::json& about) {
  options.validate();
  if (!options.init.empty())
    options.init_checksum = read_initial_weights(options.init, options.init_checksum).checksum;
  return Trainer::start(folder, std::make_unique<AlgorithmSubject>(options), about);
}

std::unique_ptr<Trainer> resume_run(const std::filesystem::path& folder,
                                    const GivenOptions& changes) {
  auto run = RunFolder::resume(folder);
  auto config = read_config(run.paths());
  if (text_at(config, "algorithm") == kPeptides)
    throw Error("'{}' is a run on peptides; go on with npq peptides train --resume {}",
                folder.string(), folder.string());
  auto options = train_options(config, run.paths().config().string());
  train_option_table().change(options, changes);
  options.validate();
  return Trainer::resume(std::move(run), std::move(config),
                         std::make_unique<AlgorithmSubject>(options), changes);
}

}  // namespace npq::train
