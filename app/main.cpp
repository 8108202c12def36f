// npq: the program. Without libtorch: what trains or evaluates is handed to npq-engine beside it.
#include <nlohmann/json.hpp>

#include "app/about.h"
#include "app/cli.h"
#include "app/commands.h"
#include "app/evaluate_command.h"
#include "app/handoff.h"
#include "app/import_command.h"
#include "app/info_command.h"
#include "app/peptides_evaluate_command.h"
#include "app/peptides_train_command.h"
#include "app/predict_command.h"
#include "app/prove_command.h"
#include "app/speed_command.h"
#include "app/trace_command.h"
#include "app/train_command.h"
#include "npq/base/parallel.h"

int main(int argc, char** argv) {
  npq::app::Cli cli("npq: neural priority queues for graph neural networks", "npq " NPQ_VERSION);
  auto* data = cli.group(cli.root(), "data",
                         "CLRS-30: the 30 algorithms, their traces, files, official splits");
  npq::app::add_data_list(cli, data);
  npq::app::add_data_show(cli, data);
  npq::app::add_data_export(cli, data);
  npq::app::add_data_verify(cli, data);
  auto* bench = cli.group(cli.root(), "bench", "speed, measured on this machine");
  npq::app::add_bench_data(cli, bench);
  npq::app::add_report(cli);
  npq::app::add_compare(cli);
  auto* peptides = cli.group(cli.root(), "peptides",
                             "Peptides-struct: molecules and the networks that learn their shape");
  npq::app::add_peptides_import(cli, peptides);
  npq::app::add_peptides_generate(cli, peptides);
  auto* experiment = cli.group(cli.root(), "experiment",
                               "many runs as one: plans, workers, what is finished, Slurm");
  npq::app::add_experiment_list(cli, experiment);
  npq::app::add_experiment_status(cli, experiment);
  npq::app::add_experiment_collect(cli, experiment);
  npq::app::add_experiment_submit(cli, experiment);
#ifdef NPQ_WITH_ENGINE
  const auto to_engine = [argv](const auto&) -> int { npq::app::hand_to_engine(argv); };
  npq::app::add_list(cli);
  npq::app::add_train(cli, to_engine);
  npq::app::add_peptides_evaluate(cli, peptides, to_engine);
  npq::app::add_peptides_train(cli, peptides, to_engine);
  npq::app::add_evaluate(cli, to_engine);
  npq::app::add_predict(cli, to_engine);
  npq::app::add_prove(cli, to_engine);
  auto* import = cli.group(cli.root(), "import", "weights that other programs have trained");
  npq::app::add_import_haiku(cli, import, to_engine);
  npq::app::add_bench_train(cli, bench, to_engine);
  npq::app::add_bench_evaluate(cli, bench, to_engine);
  npq::app::add_bench_processor(cli, bench, to_engine);
  npq::app::add_bench_kernels(cli, bench, to_engine);
  npq::app::add_trace(cli, to_engine);
  npq::app::add_check(cli, to_engine);
  npq::app::add_experiment_run(cli, experiment);
  npq::app::add_options(cli);
  npq::app::add_info(cli, to_engine);
#else
  npq::app::add_info(cli, [](const npq::app::InfoCommand& command) {
    return npq::app::print_info(command, npq::app::about(npq::available_threads()));
  });
#endif
  return cli.run(argc, argv);
}
