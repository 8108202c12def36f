#pragma once
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

/// Binds the flags of `npq peptides evaluate`.
void add_peptides_evaluate(Cli& cli);

}  // namespace npq::app
