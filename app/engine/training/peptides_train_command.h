#pragma once
#include <string>

#include "app/cli.h"
#include "app/trained_options.h"
#include "npq/lrgb/train_options.h"

namespace npq::app {

struct PeptidesTrainCommand {
  lrgb::TrainOptions options;
  std::string out;     // empty: runs/peptides/PROCESSOR/LAYER/MEMORY/seedS
  std::string resume;  // a run folder to go on with
  int threads = 0;
  bool quiet = false;
  GivenOptions changes;            // of a resumed run
  std::vector<std::string> notes;  // options of a --config file that do not count

  std::string folder() const;
};

/// Binds the flags of `npq peptides train`.
void add_peptides_train(Cli& cli);

}  // namespace npq::app
