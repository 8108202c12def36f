#pragma once
#include <span>
#include <string>
#include <vector>

#include "npq/experiment/status.h"

namespace npq::experiment {

struct SlurmOptions {
  std::string program;               // npq, as the nodes see it
  std::vector<std::string> words;    // after "npq experiment run": the experiment and its options
  std::filesystem::path folder;      // where the jobs work: relative paths start here
  std::filesystem::path out;         // of the experiment; logs go to its folder "slurm"
  int ranks = 1;                     // processes of each run
  int threads = 1;                   // cores of each of them
  std::string memory;                // "4G"; empty: what the cluster gives
  std::string time;                  // "08:00:00"; empty: what the cluster gives
  std::string partition;             // empty: the cluster's own
  std::vector<std::string> further;  // other options of sbatch, unchanged
};

/// The unfinished runs of a plan, by their place in it: one job each.
std::vector<int> open_tasks(const Plan& plan, const Places& places);

/// "0-2,5,7-8": how Slurm writes a list of tasks. The list is sorted.
std::string task_ranges(std::span<const int> tasks);

/// The batch script: one run per task of a job array. Requeued (by a failing node, preemption or
/// the end of its time) a task goes on where its run was; some time before the end it is told to
/// save its state, and puts itself back into the queue.
std::string batch_script(const Plan& plan, std::span<const int> tasks, const SlurmOptions& options);

}  // namespace npq::experiment
