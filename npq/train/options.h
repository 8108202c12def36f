#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "npq/base/files/run_kind.h"
#include "npq/base/options/option_table.h"
#include "npq/memory/options.h"
#include "npq/model/options.h"
#include "npq/train/loop/adam_options.h"

namespace npq::train {

/// Everything that decides the numbers of a run; the defaults are the paper's protocol. Free of
/// torch. Threads and SIMD level are not here: they change the time a run takes, not what it
/// computes.
struct TrainOptions {
  std::string algorithm = "dijkstra";
  model::ModelOptions model;
  memory::MemoryOptions memory;
  std::string preset = "paper";  // what the memory was made from, for reports
  AdamOptions adam;
  double clip = 1;  // limit of the gradients' global norm; 0: none
  std::int64_t batch = 32;
  std::int64_t steps = 30000;
  std::int64_t evaluate_every = 500;
  std::uint64_t seed = 1;  // initialisation, dropout, teacher forcing; not the official data
  std::vector<int>
      train_sizes;  // empty: the official train split; else made on the fly, sizes taking turns
  std::vector<int> validate_sizes;  // of the validation graphs, see Task::validation_set; empty: 16
  bool random_positions = false;    // training batches get random `pos`
  double average = kAverageDecay;   // of the mean of the weights, see loop/average.h; 0: none
  std::string init;                 // weights to begin with: a run or a file; empty: drawn
  std::string init_checksum;        // of those weights: a run that is resumed begins with the same

  /// Throws a UsageError that names the flag, what it holds and what it may hold.
  void validate() const;
};

/// Each option of a run, declared once: name, meaning, range. The memory's are among them.
const OptionTable<TrainOptions>& train_option_table();

/// The flags of `npq train` by name, as config.json keeps them; the memory's flags are among them.
nlohmann::json to_json(const TrainOptions& options);
/// The same back. An unknown or missing key is an Error that names it and `source`.
TrainOptions train_options(const nlohmann::json& config, const std::string& source);

}  // namespace npq::train
