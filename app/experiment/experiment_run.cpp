// npq experiment run: the plan, then its runs in worker processes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/commands.h"
#include "app/experiment/experiment_display.h"
#include "app/experiment/experiment_folder.h"
#include "app/output.h"
#include "app/report_table.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/files/run_folder.h"
#include "npq/base/parallel.h"
#include "npq/experiment/committed.h"
#include "npq/experiment/speeds.h"
#include "npq/report/tables/peptides.h"
#include "npq/report/tables/tables.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  ExperimentOptions experiment;
  int workers = 1, ranks = 1, threads = 0;
  std::optional<std::int64_t> task;  // only this run of the plan
  bool dry_run = false, quiet = false;
};

std::atomic<int> interrupts{0};
void on_interrupt(int) { ++interrupts; }

experiment::Plan plan_of(const RunOptions& options) {
  auto plan = options.experiment.plan();
  if (!options.task) return plan;
  if (*options.task < 0 || *options.task >= std::ssize(plan.runs))
    throw UsageError("--task is {}, but the plan has {}; expected a number from 0 to {}",
                     *options.task, counted(plan.runs.size(), "run"), plan.runs.size() - 1);
  plan.runs = {plan.runs[static_cast<std::size_t>(*options.task)]};
  return plan;
}

std::string source_of(const experiment::Estimate& estimate, const experiment::Plan& plan) {
  std::vector<std::string> parts;
  const auto runs = [](int count) { return counted(static_cast<std::size_t>(count), "run"); };
  if (estimate.measured > 0)
    parts.push_back(fmt::format("{} by speeds seen here", runs(estimate.measured)));
  if (estimate.stored > 0)
    parts.push_back(fmt::format("{} by stored speeds of {}", runs(estimate.stored),
                                experiment::stored_machine(plan.runs.front())));
  if (estimate.unknown > 0)
    parts.push_back(fmt::format("{} not counted: no speed is known", runs(estimate.unknown)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The expected time, in words.
std::string time_text(const experiment::Estimate& estimate, const experiment::Plan& plan,
                      int cores) {
  if (estimate.trained == estimate.to_do()) return "training is done, only tests remain";
  const double seconds = estimate.seconds / cores, hours = estimate.seconds / 3600;
  auto text = fmt::format("training takes {} on {}",
                          seconds < 60 ? "under a minute" : "about " + human_seconds(seconds),
                          counted(static_cast<std::size_t>(cores), "core"));
  if (estimate.unknown == estimate.to_do() - estimate.trained)
    text = "how long training takes is not known";
  else if (hours >= 0.1)
    text += fmt::format(", {:.3g} hours of one core", hours);
  text += fmt::format(" ({})", source_of(estimate, plan));
  if (estimate.trained > 0) text += fmt::format("; only tests remain of {} more", estimate.trained);
  return plan.runs.front().tests.sizes.empty() ? text : text + "; testing comes on top";
}

/// The models of the plan, and why some cannot be trained.
void print_models(const experiment::Plan& plan, const experiment::Places& places) {
  struct Model {
    const experiment::PlannedRun* run;
    std::vector<std::uint64_t> seeds;
    int open = 0, foreign = 0;
  };
  std::vector<Model> models;
  std::map<std::string, std::size_t> index;
  std::vector<std::string> notes;
  for (const auto& run : plan.runs) {
    const auto at = index.try_emplace(run.model(), models.size());
    if (at.second) models.push_back({&run, {}});
    auto& model = models[at.first->second];
    model.seeds.push_back(run.seed);
    const auto status = experiment::status_of(plan, run, places);
    const bool foreign = status.state == experiment::State::Foreign;
    model.foreign += foreign;
    model.open += !foreign && !status.finished();
    if (foreign) notes.push_back(status.note);
  }
  std::vector<std::vector<std::string>> rows = {{"model", "options", "seeds", "to do"}};
  if (!notes.empty()) rows[0].push_back("foreign");
  for (const auto& model : models) {
    std::vector<std::string> flags;
    for (const auto& [flag, value] : model.run->flags)
      flags.push_back(value == "true" ? "--" + flag : fmt::format("--{} {}", flag, value));
    rows.push_back({model.run->model(), fmt::format("{}", fmt::join(flags, " ")),
                    fmt::format("{}", fmt::join(model.seeds, ",")), std::to_string(model.open)});
    if (!notes.empty()) rows.back().push_back(std::to_string(model.foreign));
  }
  fmt::print("{}\n{}", paint(plan.title, Colour::Bold), table(rows, {3, 4}));
  if (!notes.empty()) fmt::print("foreign: {}\n", notes.front());
  if (const auto why = reasons(plan); !why.empty()) fmt::print("\n{}\n", why);
}

/// ", tested at size 64, 256 (16 graphs), also with --ablate zero,empty"; empty of peptides.
std::string tests_text(const experiment::Plan& plan) {
  std::set<std::pair<int, std::int64_t>> sizes;  // with their samples; 0: the official number
  std::set<std::string> ablated;
  for (const auto& run : plan.runs) {
    for (const int size : run.tests.sizes) {
      const auto samples = run.tests.samples.find(size);
      sizes.emplace(size, samples == run.tests.samples.end() ? 0 : samples->second);
    }
    if (!run.tests.ablate.empty())
      ablated.insert(fmt::format("{}", fmt::join(run.tests.ablate, ",")));
  }
  if (sizes.empty()) return "";
  std::vector<std::string> words;
  words.reserve(sizes.size());
  for (const auto& [size, samples] : sizes)
    words.push_back(samples == 0 ? std::to_string(size)
                                 : fmt::format("{} ({} graphs)", size, samples));
  auto text = fmt::format(", tested at size {}", fmt::join(words, ", "));
  for (const auto& names : ablated) text += fmt::format(", also with --ablate {}", names);
  return text;
}

/// How long it will take here, in seconds.
double print_plan(const experiment::Plan& plan, const RunOptions& options,
                  const experiment::Places& places, int threads) {
  print_models(plan, places);
  const auto estimate = experiment::estimate(plan, places);
  const int open = estimate.to_do();
  const auto tests = tests_text(plan);
  const auto foreign = estimate.foreign == 0 ? "" : fmt::format(", {} foreign", estimate.foreign);
  fmt::print("{} of {} {}{}, in {}; {} to do{}\n", counted(plan.runs.size(), "run"),
             plan.runs.front().steps, plan.runs.front().counted_in(), tests, places.out.string(),
             open, foreign);
  if (open == 0) return 0;
  const int cores = std::min(options.workers, open) * options.ranks * threads;
  fmt::print("{}\n", time_text(estimate, plan, cores));
  return estimate.seconds / cores;
}

/// The scores of the plan's runs that are finished, and how to see them all.
void print_outcome(const experiment::Plan& plan, const experiment::Places& places) {
  std::vector<fs::path> folders;
  for (const auto& run : plan.runs) {
    std::error_code ignored;
    const auto folder = places.out / run.folder();
    if (fs::exists(RunPaths{folder}.result(), ignored)) {
      folders.push_back(folder);
    } else if (const auto file = experiment::committed_result(places.results, plan, run)) {
      folders.push_back(*file);
    }
  }
  if (folders.empty()) return;
  const auto set = report::read_runs(folders);
  const auto groups = report::groups_of(set.runs);
  fmt::print("\n");
  print_table(report::brief_table(report::only_peptides(groups, false)));
  print_table(report::peptides_table(report::only_peptides(groups, true)));
  fmt::print("the report: npq report {0} --out {0}/report.html\n", places.out.string());
}

int run(const RunOptions& options) {
  if (options.workers < 1)
    throw UsageError("--workers is {}; expected at least 1", options.workers);
  if (options.threads < 0) throw UsageError("--threads is {}; expected 0 or more", options.threads);
  const auto plan = plan_of(options);
  check_plan(plan);
  check_ranks(plan, options.ranks);
  const auto places = options.experiment.places(plan.name);
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, available_threads() / options.workers / options.ranks);
  const double expected =
      options.quiet && !options.dry_run ? 0 : print_plan(plan, options, places, threads);
  flush_output();
  if (options.dry_run) return 0;
  keep_options(options.experiment, places.out, plan);

  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  ExperimentDisplay display(places.out, expected, options.quiet);
  GuardedOutput output;
  const auto outcome = experiment::work_through(
      plan,
      {.places = places,
       .program = fs::read_symlink("/proc/self/exe").string(),
       .workers = options.workers,
       .ranks = options.ranks,
       .threads = threads,
       .slurm = std::getenv("SLURM_JOB_ID") != nullptr},
      {.event = [&](const auto& event) { output.print([&] { display.event(event); }); },
       .tick = [&](const auto& snapshot) { output.print([&] { display.tick(snapshot); }); },
       .interrupts = [&] { return std::max<int>(interrupts, output.failed()); }});
  for (const auto& failed : outcome.failed) complain(failed);
  if (outcome.stopped) return stopped(output, "stopped; the same command goes on");
  fmt::print("{} of {} finished in {}\n", outcome.finished, counted(plan.runs.size(), "run"),
             places.out.string());
  if (!options.quiet && !options.task) print_outcome(plan, places);
  return outcome.failed.empty() ? 0 : 1;
}

}  // namespace

void add_experiment_run(Cli& cli) {
  auto options = std::make_shared<RunOptions>();
  auto* command = cli.command(
      cli.group("experiment"), "run",
      "shows the plan with the expected time, then trains and tests the unfinished runs",
      {"npq experiment run dijkstra --dry-run",
       "npq experiment run dijkstra --only 'Baseline|NPQ_W$' --steps 2000 --workers 2",
       "npq experiment run my_experiment.json --seeds 1 --sizes 64"},
      [options] { return run(*options); });
  command->footer(command->get_footer() +
                  "\n\nThe same command at any time goes on where it was: after Ctrl-C (once: the "
                  "workers\nsave their state; twice: at once), after a crash, and beside another "
                  "that runs\nalready, with which it shares the work.");
  bind(command, options->experiment);
  command->add_option("--workers", options->workers, "runs at the same time")
      ->type_name("W")
      ->capture_default_str();
  command
      ->add_option("--ranks", options->ranks,
                   "processes of each run; in a job of Slurm they are started by srun")
      ->type_name("R")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "threads of each process (0: all, divided)")
      ->type_name("T")
      ->capture_default_str();
  command->add_option("--task", options->task, "only this run of the plan, counted from 0")
      ->type_name("I");
  command->add_flag("--dry-run", options->dry_run, "stop after the plan");
  command->add_flag("--quiet", options->quiet, "no plan and no progress");
}

}  // namespace npq::app
