#include "npq/train/loop/trainer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/initial_weights.h"
#include "npq/train/checkpoints/run_config.h"
#include "npq/train/measuring/memory_health.h"
#include "npq/train/scoring/scoring.h"

namespace npq::train {
namespace {

constexpr std::int64_t kLogEvery = 10;
constexpr double kSaveEverySeconds = 60;

/// The first samples, as many as make a batch.
model::TensorBatch first_batch(const Network& network, const clrs::Dataset& data,
                               std::int64_t size) {
  std::vector<const clrs::Sample*> chosen;
  for (const auto& sample : data.samples) {
    if (static_cast<std::int64_t>(chosen.size()) == size) break;
    chosen.push_back(&sample);
  }
  return network.task.batch(chosen);
}

}  // namespace

Trainer::Trainer(RunFolder folder, const TrainOptions& options)
    : folder_(std::move(folder)),
      learner_(options),
      validation_(
          clrs::generate(network().task.algorithm(),
                         clrs::official_split(network().task.algorithm(), clrs::Split::Val))),
      log_(folder_.paths()),
      begin_(std::chrono::steady_clock::now()) {
  if (options.memory.name != "none") watched_ = first_batch(network(), validation_, options.batch);
}

std::unique_ptr<Trainer> Trainer::start(const std::filesystem::path& folder,
                                        const TrainOptions& options, const nlohmann::json& about) {
  options.validate();
  auto initialised = options;
  if (!options.init.empty()) {
    const Network probe(options);
    initialised.init_checksum =
        load_initial_weights(options.init, options.init_checksum, probe.store);
  }
  auto config = to_json(initialised);
  config["about"] = about;
  std::unique_ptr<Trainer> trainer(new Trainer(begin_run(folder, config), initialised));
  trainer->initialise();
  return trainer;
}

void Trainer::initialise() {
  if (options().init.empty()) return;
  load_initial_weights(options().init, options().init_checksum, network().store);
}

std::unique_ptr<Trainer> Trainer::resume(const std::filesystem::path& folder,
                                         const ResumeOptions& changes) {
  auto run = RunFolder::resume(folder);
  auto config = read_config(run.paths());
  if (config.value("algorithm", nlohmann::json()) == "peptides")
    throw Error("'{}' is a run on peptides; go on with npq peptides train --resume {}",
                folder.string(), folder.string());
  auto options = train_options(config, run.paths().config().string());
  options.steps = changes.steps.value_or(options.steps);
  options.evaluate_every = changes.evaluate_every.value_or(options.evaluate_every);
  options.adam.learning_rate = changes.learning_rate.value_or(options.adam.learning_rate);
  options.clip = changes.clip.value_or(options.clip);
  options.validate();
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(run), options));
  const auto state = trainer->paths().state();
  if (std::filesystem::exists(state)) {
    trainer->progress_ = load_run_state(state, trainer->learner_);
    trainer->saved_step_ = trainer->next_step();
  } else {
    trainer->initialise();
  }
  if (change_options(config, to_json(options), "steps", trainer->next_step())) {
    if (trainer->next_step() == options.steps)
      throw UsageError(
          "run '{}' has made its {} steps, so other options would change nothing; ask for more "
          "steps with --steps",
          folder.string(), options.steps);
    // The result goes first: a process killed in between leaves a run that counts as unfinished.
    std::filesystem::remove(trainer->paths().result());
    write_config(trainer->paths(), config);
  }
  trainer->log_.cut_beyond_step(trainer->next_step() - 1);
  return trainer;
}

double Trainer::seconds() const {
  return progress_.seconds +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Ending Trainer::run(const Watchers& watchers) {
  double saved_at = seconds();
  while (next_step() < options().steps) {
    const auto report = update();
    const bool last = next_step() == options().steps;
    if (report.step % kLogEvery == 0 || last) log_.append(report, seconds());
    if (watchers.step) watchers.step(report);

    // After the last update too, or a run shorter than the interval would be judged by its first.
    const bool evaluated = report.step % options().evaluate_every == 0 || last;
    if (evaluated) {
      const auto evaluation = evaluate(report.step);
      log_.append(evaluation);
      if (watchers.evaluation) watchers.evaluation(evaluation);
    }
    const bool stop = !last && watchers.stop && watchers.stop();
    if (evaluated || stop || seconds() - saved_at > kSaveEverySeconds) {
      save_state();
      saved_at = seconds();
    }
    if (stop) return Ending::Stopped;
  }
  finish();
  return Ending::Finished;
}

StepReport Trainer::update() {
  try {
    return learner_.update();
  } catch (const Error& error) {
    throw Error("{}; {}", error.what(),
                advice_after_divergence("npq train", paths(), next_step(), saved_step_,
                                        options().adam.learning_rate));
  }
}

EvaluationReport Trainer::evaluate(std::int64_t step) {
  const auto scores =
      scores_of(network().task.spec(),
                score_samples(network(), validation_.samples, {.batch = options().batch}));
  EvaluationReport report{.step = step,
                          .score = scores.score,
                          .scores = scores.outputs,
                          .memory = {}};
  if (watched_.size() > 0) report.memory = memory_health(network(), watched_);
  report.seconds = seconds();
  report.best = report.score > progress_.best_score;
  if (!report.best) return report;
  progress_.best_score = report.score;
  progress_.best_step = step;
  save_tensors(paths().best(), tensors_of(network().store),
               {{"config", to_json(options()).dump()}, {"step", std::to_string(step)}});
  return report;
}

void Trainer::save_state() {
  log_.sync();
  auto progress = progress_;
  progress.seconds = seconds();
  save_run_state(paths().state(), learner_, progress);
  saved_step_ = next_step();
}

void Trainer::finish() {
  save_tensors(
      paths().last(), tensors_of(network().store),
      {{"config", to_json(options()).dump()}, {"step", std::to_string(options().steps - 1)}});
  save_state();
  log_.write_csv();
  const nlohmann::json result{{"steps", options().steps},
                              {"best_step", best_step()},
                              {"best_val", best_score()},
                              {"seconds", seconds()}};
  write_file(paths().result(), result.dump(2) + "\n");
}

}  // namespace npq::train
