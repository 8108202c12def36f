#pragma once
#include <map>
#include <string>

#include "app/cli.h"
#include "app/engine/ranks.h"
#include "app/trained_options.h"
#include "npq/train/options.h"

namespace npq::app {

struct TrainCommand {
  train::TrainOptions options;
  std::string out;                   // empty: runs/ALGORITHM/PROCESSOR/MEMORY/seedS
  std::string resume;                // a run folder to go on with
  std::vector<std::uint64_t> seeds;  // one run each; empty: the one of the options
  std::string match_parameters;
  RankOptions ranks;
  int threads = 0;
  std::string simd;
  bool dry_run = false;
  bool quiet = false;
  GivenOptions changes;            // of a resumed run
  std::vector<std::string> notes;  // options of a --config file that do not count

  std::string folder() const;
};

/// Binds the flags of `npq train`.
void add_train(Cli& cli);

}  // namespace npq::app
