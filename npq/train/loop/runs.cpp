#include "npq/train/loop/runs.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/base/formats/json_text.h"
#include "npq/train/checkpoints/initial_weights.h"
#include "npq/train/loop/algorithm_subject.h"

namespace npq::train {

namespace {

/// Rank 0 has said with which options; the folder is its alone.
std::unique_ptr<Trainer> follow_run(const std::filesystem::path& folder,
                                    std::shared_ptr<Ranks> ranks) {
  const auto options = train_options(parse_json_object(ranks->from_first(""), "rank 0"), "rank 0");
  return Trainer::follow(folder, std::make_unique<AlgorithmSubject>(options, std::move(ranks)));
}

}  // namespace

std::unique_ptr<Trainer> start_run(const std::filesystem::path& folder, TrainOptions options,
                                   const nlohmann::json& about, std::shared_ptr<Ranks> ranks) {
  if (!ranks->is_first()) return follow_run(folder, std::move(ranks));
  options.validate();
  if (!options.init.empty())
    options.init_checksum = read_initial_weights(options.init, options.init_checksum).checksum;
  ranks->from_first(to_json(options).dump());
  return Trainer::start(folder, std::make_unique<AlgorithmSubject>(options, std::move(ranks)),
                        about);
}

std::unique_ptr<Trainer> resume_run(const std::filesystem::path& folder,
                                    const GivenOptions& changes, std::shared_ptr<Ranks> ranks) {
  if (!ranks->is_first()) return follow_run(folder, std::move(ranks));
  auto run = RunFolder::resume(folder);
  auto config = read_config(run.paths());
  if (text_at(config, "algorithm") == kPeptides)
    throw Error("'{}' is a run on peptides; go on with npq peptides train --resume {}",
                folder.string(), folder.string());
  auto options = train_options(config, run.paths().config().string());
  train_option_table().change(options, changes);
  options.validate();
  ranks->from_first(to_json(options).dump());
  return Trainer::resume(std::move(run), std::move(config),
                         std::make_unique<AlgorithmSubject>(options, std::move(ranks)), changes);
}

}  // namespace npq::train
