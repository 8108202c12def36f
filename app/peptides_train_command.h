#pragma once
#include <functional>
#include <string>

#include "app/cli.h"
#include "app/option_flags.h"
#include "npq/lrgb/train_options.h"

namespace npq::app {

struct PeptidesTrainCommand {
  lrgb::TrainOptions options;
  std::string out;     // empty: runs/peptides/PROCESSOR/LAYER/MEMORY/seedS
  std::string resume;  // a run folder to go on with
  int threads = 0;
  bool quiet = false;
  lrgb::ResumeOptions changes;     // of a resumed run
  std::vector<std::string> notes;  // what of a --config file does not count

  std::string folder() const;
};

/// The options that were given, each in the form and range that the table asks for, together what
/// can be trained. `notes`: what of `file` does not count.
lrgb::TrainOptions options_of_peptides_train(const GivenOptions& given, const ConfigFile& file,
                                             std::vector<std::string>& notes);

/// Binds the flags of `npq peptides train`; `action` does the work (in npq: by handing over to
/// npq-engine).
void add_peptides_train(Cli& cli, CLI::App* peptides,
                        std::function<int(const PeptidesTrainCommand&)> action);

}  // namespace npq::app
