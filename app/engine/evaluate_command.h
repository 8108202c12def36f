#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli.h"
#include "app/engine/ranks.h"
#include "npq/memory/ablation.h"

namespace npq::app {

struct EvaluateCommand {
  std::string run;  // a run folder or a checkpoint file
  std::string which = "all";
  std::vector<int> sizes;
  std::optional<std::int64_t> samples;  // nothing: the official number
  std::int64_t batch = 32;
  bool hints = false;
  std::vector<memory::Ablation> ablations;  // in addition to the whole memory
  bool json = false;
  bool save = true;  // keep the figures in the run folder
  RankOptions ranks;
  int threads = 0;
  bool quiet = false;
};

/// Binds the flags of `npq evaluate`.
void add_evaluate(Cli& cli);

}  // namespace npq::app
