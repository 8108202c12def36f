#pragma once
#include <functional>
#include <map>
#include <string>

#include "app/cli.h"
#include "app/option_flags.h"
#include "npq/train/options.h"

namespace npq::app {

struct TrainCommand {
  train::TrainOptions options;
  std::string out;                   // empty: runs/ALGORITHM/PROCESSOR/MEMORY/seedS
  std::string resume;                // a run folder to go on with
  std::vector<std::uint64_t> seeds;  // one run each; empty: the one of the options
  std::string match_parameters;
  int threads = 0;
  std::string simd;
  bool dry_run = false;
  bool quiet = false;
  train::ResumeOptions changes;    // of a resumed run
  std::vector<std::string> notes;  // what of a --config file does not count

  std::string folder() const;
};

/// The options that were given, each in the form and range that the table asks for, together what
/// can be trained. `notes`: what of `file` does not count.
train::TrainOptions options_of_train(const GivenOptions& given, const ConfigFile& file,
                                     std::vector<std::string>& notes);

/// Binds the flags of `npq train`; `action` does the work (in npq: by handing over to npq-engine).
void add_train(Cli& cli, std::function<int(const TrainCommand&)> action);

}  // namespace npq::app
