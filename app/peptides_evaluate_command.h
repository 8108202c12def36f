#pragma once
#include <functional>
#include <string>

#include "app/cli.h"

namespace npq::app {

struct PeptidesEvaluateCommand {
  std::string run;  // a run folder
  std::string which = "both";
  std::string data;  // empty: where the run has it from
  bool json = false;
  bool save = true;  // keep the figures in the run folder
  int threads = 0;
};

/// Binds the flags of `npq peptides evaluate`; `action` does the work (in npq: by handing over to
/// npq-engine).
void add_peptides_evaluate(Cli& cli, CLI::App* peptides,
                           std::function<int(const PeptidesEvaluateCommand&)> action);

}  // namespace npq::app
