#pragma once
#include <string>

#include "app/cli.h"

namespace npq::app {

/// `npq trace`: one sample of a trained model under the microscope.
struct TraceCommand {
  std::string run;  // a run folder or a checkpoint file
  std::string which = "best";
  int nodes = 12;
  std::uint32_t seed = 3;
  std::string out = "trace.html";
  bool json = false;
  int threads = 0;
};

void add_trace(Cli& cli);

}  // namespace npq::app
