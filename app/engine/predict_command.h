#pragma once
#include <string>

#include "app/cli.h"

namespace npq::app {

struct PredictCommand {
  std::string run;    // a run folder or a checkpoint file
  std::string input;  // JSON, see npq/clrs/samplers/inputs_json.h; "-": standard input
  std::string out;    // a file for the answers as JSON; empty: none
  std::string which = "best";
  bool trace = false;
  bool json = false;
  int threads = 0;
};

/// Binds the flags of `npq predict`.
void add_predict(Cli& cli);

}  // namespace npq::app
