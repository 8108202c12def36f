#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "npq/base/files/run_kind.h"
#include "npq/base/options/option_table.h"
#include "npq/lrgb/options.h"

namespace npq::lrgb {

/// Everything that decides the numbers of a run on peptides; the defaults are the published ones.
/// Free of torch.
struct TrainOptions {
  std::string data;           // folder of the data set
  std::string data_checksum;  // of its numbers: a run goes on with the data it began with
  ModelOptions model;
  std::int64_t epochs = 500;
  std::int64_t batch = 128;
  std::string preset = "paper";  // what the memory was made from, for reports
  std::uint64_t seed = 0;        // initialisation and the order of the molecules
  double learning_rate = 1e-3;
  // When the validation error has not fallen by a ten-thousandth for more than `patience` epochs,
  // the learning rate is multiplied by `factor`, down to `least_rate`.
  std::int64_t patience = 20;
  double factor = 0.5;
  double least_rate = 1e-5;
  double average = kAverageDecay;  // of the mean of the weights, see loop/average.h; 0: none
  std::string init;                // weights to begin with: a run or a file; empty: drawn
  std::string init_checksum;       // of those weights

  /// Throws a UsageError that names the flag, what it holds and what it may hold.
  void validate() const;
};

/// Each option of a run, declared once: name, meaning, range. The memory's are among them.
const OptionTable<TrainOptions>& train_option_table();

/// The flags of `npq peptides train` by name, as config.json keeps them; the memory's are among
/// them.
nlohmann::json to_json(const TrainOptions& options);
/// The same back. An unknown or missing key is an Error that names it and `source`.
TrainOptions train_options(const nlohmann::json& config, const std::string& source);

}  // namespace npq::lrgb
