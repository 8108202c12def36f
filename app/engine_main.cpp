// npq-engine: the commands that need libtorch. Users call npq, which starts npq-engine.
#include <nlohmann/json.hpp>

#include "app/cli.h"
#include "app/engine/engine.h"
#include "app/info_command.h"
#include "npq/ops/threads.h"

int main(int argc, char** argv) {
  using namespace npq::app;
  npq::ops::flush_tiny_numbers();
  Cli cli("npq-engine: the part of npq that needs libtorch", "npq " NPQ_VERSION);
  add_train(cli);
  add_evaluate(cli);
  add_predict(cli);
  add_trace(cli);
  add_prove(cli);
  add_check(cli);
  add_peptides_train(cli);
  add_peptides_evaluate(cli);
  add_bench_train(cli);
  add_bench_evaluate(cli);
  add_bench_processor(cli);
  add_bench_kernels(cli);
  add_import_haiku(cli);
  add_info(cli, about_engine);
  return cli.run(argc, argv);
}
