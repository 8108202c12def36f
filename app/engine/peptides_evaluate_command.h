#pragma once
#include <string>
#include <vector>

#include "app/cli.h"
#include "npq/memory/ablation.h"

namespace npq::app {

struct PeptidesEvaluateCommand {
  std::string run;  // a run folder
  std::string which = "all";
  std::string data;                         // empty: where the run has it from
  std::vector<memory::Ablation> ablations;  // in addition to the whole memory
  bool json = false;
  bool save = true;  // keep the figures in the run folder
  int threads = 0;
};

/// Binds the flags of `npq peptides evaluate`.
void add_peptides_evaluate(Cli& cli);

}  // namespace npq::app
