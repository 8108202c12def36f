#pragma once
#include "app/cli.h"

// One function per subcommand, each in a file of its own: it binds flags to an options struct and
// names the action.
namespace npq::app {

void add_data_list(Cli& cli);
void add_data_show(Cli& cli);
void add_data_export(Cli& cli);
void add_data_verify(Cli& cli);
void add_bench_data(Cli& cli);
void add_report(Cli& cli);
void add_options(Cli& cli);
void add_list(Cli& cli);
void add_compare(Cli& cli);
void add_peptides_import(Cli& cli);
void add_peptides_generate(Cli& cli);
void add_experiment_list(Cli& cli);
void add_experiment_run(Cli& cli);
void add_experiment_collect(Cli& cli);
void add_experiment_submit(Cli& cli);
void add_experiment_status(Cli& cli);

}  // namespace npq::app
