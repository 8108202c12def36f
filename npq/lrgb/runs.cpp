#include "npq/lrgb/runs.h"

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/files/json_file.h"
#include "npq/base/files/run_files.h"
#include "npq/base/files/run_kind.h"
#include "npq/lrgb/peptide_subject.h"
#include "npq/train/checkpoints/initial_weights.h"

namespace npq::lrgb {

std::unique_ptr<train::Trainer> start_run(const std::filesystem::path& folder, TrainOptions options,
                                          const nlohmann::json& about) {
  options.validate();
  auto dataset = peptides::load_dataset(options.data);
  options.data_checksum = peptides::dataset_checksum(options.data);
  if (!options.init.empty())
    options.init_checksum =
        train::read_initial_weights(options.init, options.init_checksum).checksum;
  return train::Trainer::start(
      folder, std::make_unique<PeptideSubject>(options, std::move(dataset)), about);
}

std::unique_ptr<train::Trainer> resume_run(const std::filesystem::path& folder,
                                           const GivenOptions& changes) {
  auto run = RunFolder::resume(folder);
  auto config = read_config(run.paths());
  if (const auto learned = text_at(config, "algorithm"); learned != kPeptides)
    throw Error("'{0}' is not a run on peptides; go on with npq train --resume {0}",
                folder.string());
  auto options = train_options(config, run.paths().config().string());
  train_option_table().change(options, changes);
  options.validate();
  auto dataset = peptides::load_dataset(options.data);
  if (const auto sum = peptides::dataset_checksum(options.data); sum != options.data_checksum)
    throw Error(
        "the data set '{}' is not the one that run '{}' began with (its checksum is {}..., not "
        "{}...); put that one back or start a new run",
        options.data, folder.string(), sum.substr(0, 12), options.data_checksum.substr(0, 12));
  return train::Trainer::resume(std::move(run), std::move(config),
                                std::make_unique<PeptideSubject>(options, std::move(dataset)),
                                changes);
}

}  // namespace npq::lrgb
