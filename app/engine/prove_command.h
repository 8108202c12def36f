#pragma once
#include <string>

#include "app/cli.h"
#include "npq/prove/options.h"

namespace npq::app {

struct ProveCommand {
  prove::ProveOptions options;
  std::string out;           // the page; empty: none
  std::string command_line;  // what makes the same page again
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

/// Binds the flags of `npq prove`.
void add_prove(Cli& cli);

}  // namespace npq::app
