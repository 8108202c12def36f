#pragma once
#include <functional>
#include <string>

#include "app/cli.h"

namespace npq::app {

struct ImportCommand {
  std::string file;  // the pickle
  std::string out;
  std::string algorithm, processor, memory;  // empty: told by the weights
};

/// Binds the flags of `npq import haiku`; `action` does the work (in npq: by handing over to
/// npq-engine).
void add_import_haiku(Cli& cli, CLI::App* import, std::function<int(const ImportCommand&)> action);

}  // namespace npq::app
