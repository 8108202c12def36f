#pragma once
#include <string>

#include "app/cli.h"

namespace npq::app {

struct ImportCommand {
  std::string file;  // the pickle
  std::string out;
  std::string algorithm, processor, memory;  // empty: told by the weights
};

/// Binds the flags of `npq import haiku`.
void add_import_haiku(Cli& cli);

}  // namespace npq::app
