// npq experiment submit --slurm: the plan as a job array.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include "app/commands.h"
#include "app/experiment/experiment_folder.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/shell.h"
#include "npq/experiment/slurm.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;

struct SubmitOptions {
  ExperimentOptions experiment;
  bool slurm = false, dry_run = false;
  experiment::SlurmOptions job;
};

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

int submit(const SubmitOptions& options) {
  if (!options.slurm)
    throw UsageError("submit needs to know where to: --slurm is the only place so far");
  if (options.job.threads < 1)
    throw UsageError("--threads is {}; expected at least 1", options.job.threads);
  const auto plan = options.experiment.plan();
  check_plan(plan);
  check_ranks(plan, options.job.ranks);
  const auto places = options.experiment.places(plan.name);
  const auto tasks = experiment::open_tasks(plan, places);
  if (tasks.empty()) {
    fmt::print("all runs of {} are finished; nothing to submit\n", plan.name);
    return 0;
  }
  auto job = options.job;
  job.program = fs::read_symlink("/proc/self/exe").string();
  job.words = options.experiment.words();
  job.folder = fs::current_path();
  job.out = fs::absolute(places.out);
  const auto script = experiment::batch_script(plan, tasks, job);
  const auto folder = job.out / "slurm";
  make_out(job.out);
  make_folder(folder);
  const auto file = folder / "submit.sh";
  write_file(file, script);
  fmt::print("{}\n{}", file.string(), script);
  std::fflush(stdout);
  if (options.dry_run) return 0;
  const auto command = "sbatch " + shell_quoted(file.string());
  if (!is_installed("sbatch"))
    throw Error(
        "there is no sbatch here; expected a login node of a Slurm cluster. The script is in "
        "'{}'; submit it there with: {}",
        file.string(), command);
  keep_options(options.experiment, places.out, plan);
  if (std::system(command.c_str()) != 0)  // its own message says why
    throw Error(
        "sbatch did not take the job; the script is in '{}', put it right and submit it "
        "with: {}",
        file.string(), command);
  fmt::print("how far it is: npq experiment status");
  for (const auto& word : options.experiment.words()) fmt::print(" {}", shell_quoted(word));
  fmt::print("\n");
  return 0;
}

}  // namespace

void add_experiment_submit(Cli& cli) {
  auto options = std::make_shared<SubmitOptions>();
  auto* command = cli.command(
      cli.group("experiment"), "submit",
      "what is not finished of the plan as a Slurm job array, a run per task",
      {"npq experiment submit clrs30 --slurm --dry-run",
       "npq experiment submit clrs30 --slurm --threads 2 --mem 8G --time 24:00:00 --out "
       "/shared/clrs30",
       "npq experiment submit large.json --slurm --ranks 4 --threads 8 --out /shared/large",
       "npq experiment submit dijkstra --slurm --sbatch=--account=mine --sbatch=--qos=long"},
      [options] { return submit(*options); });
  command->footer(command->get_footer() +
                  "\n\nThe folder (--out) must be one that all nodes see. A task that is requeued "
                  "goes on\nwhere it was; submitting again submits what is still open.");
  bind(command, options->experiment);
  auto& job = options->job;
  command->add_flag("--slurm", options->slurm, "to the Slurm cluster of this machine");
  command->add_option("--ranks", job.ranks, "processes of each run, started by srun")
      ->type_name("R")
      ->capture_default_str();
  command->add_option("--threads", job.threads, "cores of each process")
      ->type_name("T")
      ->capture_default_str();
  command->add_option("--mem", job.memory, "memory of each run")->type_name("4G");
  command->add_option("--time", job.time, "time of each task; it requeues itself at the end")
      ->type_name("HH:MM:SS");
  command->add_option("--partition", job.partition, "which part of the cluster")->type_name("NAME");
  command->add_option("--sbatch", job.further, "a further option of sbatch; may be repeated")
      ->type_name("--OPTION=X")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->allow_extra_args(false);
  command->add_flag("--dry-run", options->dry_run, "write and show the script, do not submit it");
}

}  // namespace npq::app
