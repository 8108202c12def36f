// npq-engine: what trains and evaluates. Users call npq, which hands over.
#include "app/cli.h"
#include "app/engine/engine.h"
#include "app/train_command.h"
#include "npq/ops/threads.h"

int main(int argc, char** argv) {
  npq::ops::flush_tiny_numbers();
  npq::app::Cli cli("npq-engine: the part of npq that needs libtorch", "npq " NPQ_VERSION);
  npq::app::add_train(cli, npq::app::run_train);
  npq::app::add_evaluate(cli, npq::app::run_evaluate);
  npq::app::add_predict(cli, npq::app::run_predict);
  npq::app::add_prove(cli, npq::app::run_prove);
  auto* import = cli.group(cli.root(), "import", "weights that other programs have trained");
  npq::app::add_import_haiku(cli, import, npq::app::run_import_haiku);
  auto* bench = cli.group(cli.root(), "bench", "speed, measured on this machine");
  npq::app::add_bench_train(cli, bench, npq::app::run_bench);
  npq::app::add_bench_evaluate(cli, bench, npq::app::run_bench);
  npq::app::add_bench_processor(cli, bench, npq::app::run_bench_processor);
  npq::app::add_bench_kernels(cli, bench, npq::app::run_bench_kernels);
  npq::app::add_trace(cli, npq::app::run_trace);
  npq::app::add_check(cli, npq::app::run_check);
  auto* peptides = cli.group(cli.root(), "peptides", "long-range reasoning on molecules");
  npq::app::add_peptides_evaluate(cli, peptides, npq::app::run_peptides_evaluate);
  npq::app::add_peptides_train(cli, peptides, npq::app::run_peptides_train);
  npq::app::add_info(cli, npq::app::run_info);
  return cli.run(argc, argv);
}
