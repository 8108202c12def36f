// npq: the program. Without libtorch: what trains or evaluates is handed to npq-engine beside it.
#include "app/cli.h"
#include "app/commands.h"

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
  return cli.run(argc, argv);
}
