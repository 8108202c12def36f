// npq: the program. It does not link libtorch; commands that need it are handed to npq-engine.
#include <nlohmann/json.hpp>

#include "app/about.h"
#include "app/cli.h"
#include "app/commands.h"
#include "app/engine_commands.h"
#include "app/handoff.h"
#include "app/info_command.h"
#include "app/output.h"
#include "npq/base/parallel.h"

int main(int argc, char** argv) {
  using namespace npq::app;
#ifdef NPQ_WITH_ENGINE
  if (calls_engine({argv + 1, argv + argc})) return hand_to_engine(argv);
#endif
  Cli cli("npq: neural priority queues for graph neural networks", "npq " NPQ_VERSION);
  add_data_list(cli);
  add_data_show(cli);
  add_data_export(cli);
  add_data_verify(cli);
  add_bench_data(cli);
  add_report(cli);
  add_compare(cli);
  add_peptides_import(cli);
  add_peptides_generate(cli);
  add_experiment_list(cli);
  add_experiment_status(cli);
  add_experiment_collect(cli);
  add_experiment_submit(cli);
#ifdef NPQ_WITH_ENGINE
  add_experiment_run(cli);
  add_list(cli);
  add_options(cli);
  list_engine_commands(cli);
#else
  add_info(cli, [] { return about(npq::available_threads()); });
#endif
  return cli.run(argc, argv);
}
