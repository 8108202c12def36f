#include "npq/train/trainer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/atomic_file.h"
#include "npq/base/error.h"
#include "npq/train/checkpoint.h"
#include "npq/train/memory_health.h"
#include "npq/train/run_config.h"

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
  auto config = to_json(options);
  config["about"] = about;
  return std::unique_ptr<Trainer>(new Trainer(begin_run(folder, config), options));
}

std::unique_ptr<Trainer> Trainer::resume(const std::filesystem::path& folder,
                                         std::int64_t total_steps) {
  auto run = RunFolder::resume(folder);
  auto config = read_config(run.paths());
  auto options = train_options(config, run.paths().config().string());
  const auto planned = options.steps;
  if (total_steps > 0) options.steps = total_steps;
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(run), options));
  const auto state = trainer->paths().state();
  if (std::filesystem::exists(state)) trainer->progress_ = load_run_state(state, trainer->learner_);
  if (options.steps != planned) trainer->set_total_steps(std::move(config));
  trainer->log_.cut_beyond_step(trainer->next_step() - 1);
  return trainer;
}

void Trainer::set_total_steps(nlohmann::json config) {
  // The result goes first: a process killed in between leaves a run that counts as unfinished.
  std::filesystem::remove(paths().result());
  config["steps"] = options().steps;
  write_config(paths(), config);
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
    if (!std::filesystem::exists(paths().state())) throw;
    throw Error("{}; the last good state is kept in '{}'", error.what(), paths().state().string());
  }
}

EvaluationReport Trainer::evaluate(std::int64_t step) {
  const auto predictions = predict(network(), validation_.samples, options().batch, /*keep=*/false);
  EvaluationReport report{.step = step,
                          .score = predictions.scores.score(),
                          .scores = predictions.scores.by_output(),
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
