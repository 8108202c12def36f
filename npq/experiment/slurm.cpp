#include "npq/experiment/slurm.h"

#include <fmt/format.h>

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/shell.h"

namespace npq::experiment {
namespace {

// Enough to finish an update and to write the state.
constexpr int kSecondsBeforeEnd = 120;

/// sbatch reads its options as words of a line, without a shell.
std::string option_line(const std::string& name, const std::string& value) {
  if (value.find_first_of("\n\"'\\") != std::string::npos)
    throw UsageError("{} is '{}'; quotes and line ends are not possible here", name, value);
  const bool spaces = value.find(' ') != std::string::npos;
  return fmt::format("#SBATCH {}={}\n", name, spaces ? '"' + value + '"' : value);
}

}  // namespace

std::vector<int> open_tasks(const Plan& plan, const Places& places) {
  std::vector<int> tasks;
  for (std::size_t i = 0; i < plan.runs.size(); ++i)
    if (!status_of(plan, plan.runs[i], places).finished()) tasks.push_back(static_cast<int>(i));
  return tasks;
}

std::string task_ranges(std::span<const int> tasks) {
  std::string text;
  for (std::size_t first = 0; first < tasks.size();) {
    std::size_t last = first;
    while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == first ? std::to_string(tasks[first])
                          : fmt::format("{}-{}", tasks[first], tasks[last]);
    first = last + 1;
  }
  return text;
}

std::string batch_script(const Plan& plan, std::span<const int> tasks,
                         const SlurmOptions& options) {
  std::string text = "#!/bin/bash\n";
  text += fmt::format("# {}: {} of {} runs, one per task of the array.\n", plan.name, tasks.size(),
                      plan.runs.size());
  text += option_line("--job-name", "npq-" + plan.name);
  text += option_line("--array", task_ranges(tasks));
  if (options.ranks > 1) text += option_line("--ntasks", std::to_string(options.ranks));
  text += option_line("--cpus-per-task", std::to_string(options.threads));
  text += option_line("--chdir", options.folder.string());
  text += option_line("--output", (options.out / "slurm" / "%A_%a.log").string());
  text += "#SBATCH --open-mode=append\n#SBATCH --requeue\n";
  text += fmt::format("#SBATCH --signal=B:USR1@{}\n", kSecondsBeforeEnd);
  if (!options.memory.empty()) text += option_line("--mem", options.memory);
  if (!options.time.empty()) text += option_line("--time", options.time);
  if (!options.partition.empty()) text += option_line("--partition", options.partition);
  for (const auto& option : options.further) {
    if (!option.starts_with("--") || option.find('\n') != std::string::npos)
      throw UsageError("--sbatch got '{}'; expected an option of sbatch such as --account=mine",
                       option);
    text += fmt::format("#SBATCH {}\n", option);
  }
  std::string words = shell_quoted(options.program) + " experiment run";
  for (const auto& word : options.words) words += " " + shell_quoted(word);
  if (options.ranks > 1) words += fmt::format(" --ranks {}", options.ranks);
  text += fmt::format(R"(
requeue=no
# Slurm's word that the time is nearly up: the run saves its state, and the task waits for its next turn.
trap 'interrupted=yes; requeue=yes; kill -TERM $!' USR1
trap 'interrupted=yes; kill -TERM $!' TERM INT
{} --task "$SLURM_ARRAY_TASK_ID" --threads {} &
# A signal ends the wait, not the worker.
interrupted=yes
while [[ $interrupted == yes ]]; do
  interrupted=no
  wait $!
  status=$?
done
if [[ $requeue == yes && $status -ne 0 ]]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
)",
                      words, options.threads);
  return text;
}

}  // namespace npq::experiment
