// npq experiment run: the plan, then its runs in worker processes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>

#include "app/commands.h"
#include "app/experiment_display.h"
#include "app/experiment_options.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/parallel.h"
#include "npq/experiment/speeds.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;

struct Options {
  ExperimentOptions experiment;
  int workers = 1, threads = 0;
  std::int64_t task = -1;  // only this run of the plan
  bool dry_run = false, quiet = false;
};

std::atomic<int> interrupts{0};
void on_interrupt(int) { ++interrupts; }

experiment::Plan plan_of(const Options& options) {
  auto plan = options.experiment.plan();
  if (options.task < 0) return plan;
  if (options.task >= static_cast<std::int64_t>(plan.runs.size()))
    throw UsageError("--task is {}, but the plan has {} runs, counted from 0", options.task,
                     plan.runs.size());
  plan.runs = {plan.runs[static_cast<std::size_t>(options.task)]};
  return plan;
}

std::string source_of(const experiment::Estimate& estimate, const experiment::Plan& plan) {
  std::vector<std::string> parts;
  if (estimate.measured > 0)
    parts.push_back(fmt::format("{} runs by speeds seen here", estimate.measured));
  if (estimate.stored > 0)
    parts.push_back(fmt::format("{} runs by stored speeds of {}", estimate.stored,
                                experiment::stored_machine(plan.runs.front())));
  if (estimate.unknown > 0)
    parts.push_back(fmt::format("{} runs not counted: no speed is known", estimate.unknown));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// How long it will take here, in seconds.
double print_plan(const experiment::Plan& plan, const Options& options,
                  const experiment::Places& places, int threads) {
  std::vector<std::vector<std::string>> rows = {{"model", "options", "seeds", "to do"}};
  std::vector<std::string> order;
  struct Model {
    const experiment::PlannedRun* run;
    std::vector<std::uint64_t> seeds;
    int open = 0;
  };
  std::map<std::string, Model> models;
  int open = 0;
  for (const auto& run : plan.runs) {
    auto [at, is_new] = models.try_emplace(run.model(), Model{&run, {}});
    if (is_new) order.push_back(run.model());
    at->second.seeds.push_back(run.seed);
    const bool finished = experiment::status_of(plan, run, places).finished();
    at->second.open += !finished;
    open += !finished;
  }
  for (const auto& name : order) {
    const auto& model = models.at(name);
    std::vector<std::string> flags;
    for (const auto& [flag, value] : model.run->flags)
      flags.push_back(value == "true" ? "--" + flag : fmt::format("--{} {}", flag, value));
    rows.push_back({name, fmt::format("{}", fmt::join(flags, " ")),
                    fmt::format("{}", fmt::join(model.seeds, ",")), std::to_string(model.open)});
  }
  fmt::print("{}\n{}", paint(plan.title, Colour::Bold), table(rows, {3}));
  const auto tests =
      plan.sizes.empty() ? "" : fmt::format(", tested at size {}", fmt::join(plan.sizes, ", "));
  fmt::print("{} runs of {} {}{}, in {}; {} to do\n", plan.runs.size(), plan.runs.front().steps,
             plan.runs.front().counted_in(), tests, places.out.string(), open);
  if (open == 0) return 0;
  const auto estimate = experiment::estimate(plan, places);
  const int cores = std::min(options.workers, open) * threads;
  const double seconds = estimate.seconds / cores;
  fmt::print("training takes about {} on {} core{}, {} hours of one core ({}){}\n",
             human_seconds(seconds), cores, cores == 1 ? "" : "s",
             fmt::format("{:.3g}", estimate.seconds / 3600), source_of(estimate, plan),
             plan.sizes.empty() ? "" : "; testing comes on top");
  return seconds;
}

int run(const Options& options) {
  if (options.workers < 1)
    throw UsageError("--workers is {}; expected at least 1", options.workers);
  if (options.threads < 0) throw UsageError("--threads is {}; expected 0 or more", options.threads);
  const auto plan = plan_of(options);
  check_flags(plan);
  const auto places = options.experiment.places(plan);
  const int threads =
      options.threads > 0 ? options.threads : std::max(1, available_threads() / options.workers);
  const double expected =
      options.quiet && !options.dry_run ? 0 : print_plan(plan, options, places, threads);
  std::fflush(stdout);
  if (options.dry_run) return 0;

  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  ExperimentDisplay display(places.out, expected, options.quiet);
  const auto outcome =
      experiment::work_through(plan,
                               {.places = places,
                                .program = fs::read_symlink("/proc/self/exe").string(),
                                .workers = options.workers,
                                .threads = threads},
                               {.event = [&](const auto& event) { display.event(event); },
                                .tick = [&](const auto& snapshot) { display.tick(snapshot); },
                                .interrupts = [] { return interrupts.load(); }});
  for (const auto& failed : outcome.failed) fmt::print(stderr, "npq: {}\n", failed);
  if (outcome.stopped) {
    fmt::print("stopped; the same command goes on\n");
    return 1;
  }
  fmt::print("{} of {} runs finished in {}\n", outcome.finished, plan.runs.size(),
             places.out.string());
  return outcome.failed.empty() ? 0 : 1;
}

}  // namespace

void add_experiment_run(Cli& cli, CLI::App* experiment) {
  auto options = std::make_shared<Options>();
  auto* command = cli.command(
      experiment, "run",
      "shows the plan with the expected time, then trains and tests what is not finished",
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
  command->add_option("--threads", options->threads, "threads of each run (0: all, divided)")
      ->type_name("T")
      ->capture_default_str();
  command->add_option("--task", options->task, "only this run of the plan, counted from 0")
      ->type_name("I");
  command->add_flag("--dry-run", options->dry_run, "stop behind the plan");
  command->add_flag("--quiet", options->quiet, "no plan and no progress");
}

}  // namespace npq::app
