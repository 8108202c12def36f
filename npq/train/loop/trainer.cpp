#include "npq/train/loop/trainer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/json_file.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/initial_weights.h"
#include "npq/train/checkpoints/run_config.h"
#include "npq/train/checkpoints/shared_state.h"

namespace npq::train {
namespace {

constexpr std::int64_t kLogEvery = 10;
constexpr double kSaveEverySeconds = 60;

/// The weights of another run where --init names one, else those that were drawn.
void begin_with_given_weights(const Subject& subject) {
  const auto options = subject.options();
  const auto init = text_at(options, "init");
  if (init.empty()) return;
  take_weights(read_initial_weights(init, text_at(options, "init-checksum")), init,
               weights_of(subject));
}

/// What is told of an evaluation counts in the unit of the run.
std::int64_t place_of(const EvaluationReport& report) { return report.epoch.value_or(report.step); }

}  // namespace

Trainer::Trainer(RunPaths paths, std::optional<RunFolder> folder, std::unique_ptr<Subject> subject)
    : paths_(std::move(paths)),
      folder_(std::move(folder)),
      subject_(std::move(subject)),
      learner_(*subject_),
      begin_(std::chrono::steady_clock::now()) {
  if (folder_) log_.emplace(paths_);
}

std::unique_ptr<Trainer> Trainer::start(const std::filesystem::path& folder,
                                        std::unique_ptr<Subject> subject,
                                        const nlohmann::json& about) {
  begin_with_given_weights(*subject);
  auto config = subject->options();
  config["about"] = about;
  std::unique_ptr<Trainer> trainer(
      new Trainer({folder}, begin_run(folder, config), std::move(subject)));
  share_run_state(trainer->learner_, trainer->progress_);
  return trainer;
}

std::unique_ptr<Trainer> Trainer::follow(const std::filesystem::path& folder,
                                         std::unique_ptr<Subject> subject) {
  std::unique_ptr<Trainer> trainer(new Trainer({folder}, std::nullopt, std::move(subject)));
  trainer->progress_ = share_run_state(trainer->learner_, {});
  return trainer;
}

std::unique_ptr<Trainer> Trainer::resume(RunFolder folder, nlohmann::json config,
                                         std::unique_ptr<Subject> subject,
                                         const GivenOptions& changes) {
  const auto paths = folder.paths();
  const auto state = paths.state();
  const bool begun = std::filesystem::exists(state);
  if (!begun) begin_with_given_weights(*subject);
  std::unique_ptr<Trainer> trainer(new Trainer(paths, std::move(folder), std::move(subject)));
  if (begun) {
    trainer->progress_ = load_run_state(state, trainer->learner_);
    trainer->saved_step_ = trainer->next_step();
  }
  trainer->note_changes(std::move(config), changes);
  trainer->log_->cut_beyond_step(trainer->next_step() - 1);
  share_run_state(trainer->learner_, trainer->progress_);
  return trainer;
}

void Trainer::note_changes(nlohmann::json config, const GivenOptions& changes) {
  const std::string kRate = "learning-rate";
  // A schedule may have changed the rate since it was asked for.
  double rate = subject_->adam().learning_rate;
  if (const auto asked = changes.find(kRate); asked != changes.end())
    read_option(kRate, asked->second, rate);
  const bool other_rate = rate != subject_->adam().learning_rate;
  if (change_options(config, subject_->options(), kind().length(), next_step(),
                     other_rate ? kRate : "")) {
    if (next_step() == steps())
      throw UsageError(
          "run '{0}' has made its {1} {2}, so other options would change nothing; ask for more {2} "
          "with --{2}",
          paths().folder.string(), length(), kind().length());
    // The result goes first: a process killed in between leaves a run that counts as unfinished.
    std::filesystem::remove(paths().result());
    write_config(paths(), config);
  }
  // The state has the rate of before the change.
  if (const auto changed = changed_at(config, kRate, next_step()))
    subject_->set_learning_rate(*changed);
}

double Trainer::seconds() const {
  return progress_.seconds +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Ending Trainer::run(const Watchers& watchers) {
  try {
    return train(watchers);
  } catch (const RankLost& lost) {
    throw RankLost("{}; go on, with as many ranks as you like: npq {} --resume {}", lost.what(),
                   kind().command, paths_.folder.string());
  }
}

Ending Trainer::train(const Watchers& watchers) {
  auto& ranks = subject_->ranks();
  double saved_at = seconds();
  while (next_step() < steps()) {
    const auto report = update();
    const bool last = next_step() == steps();
    if (log_ && (report.step % kLogEvery == 0 || last)) log_->append(report, seconds());
    if (watchers.step) watchers.step(report);

    const bool evaluated = subject_->is_evaluated_after(report.step);
    if (evaluated) {
      const auto evaluation = evaluate(report.step);
      if (log_) log_->append(evaluation, kind());
      if (watchers.evaluation) watchers.evaluation(evaluation);
    }
    if (watchers.stop && watchers.stop()) ranks.ask_to_stop();
    const bool stop = !last && ranks.stops();
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
  } catch (const RankLost&) {
    throw;
  } catch (const Error& error) {
    if (!folder_) throw SaidByFirst("{}", error.what());
    throw Error("{}; {}", error.what(),
                advice_after_divergence(kind(), paths(), next_step(), saved_step_,
                                        subject_->adam().learning_rate));
  }
}

EvaluationReport Trainer::evaluate(std::int64_t step) {
  check_same_weights(*subject_);
  auto report = subject_->evaluate(step);
  subject_->finish_evaluation(report);
  if (!kind().counts_steps()) report.epoch = step / subject_->steps_per_unit();
  report.seconds = seconds();
  report.best =
      !std::isnan(report.validation) &&
      (progress_.best_at < 0 || kind().metric.is_better(report.validation, progress_.best));
  if (!report.best) return report;
  progress_.best_at = place_of(report);
  progress_.best = report.validation;
  if (report.test) progress_.best_test = *report.test;
  save_weights(paths().best(), weights_of(*subject_), progress_.best_at);
  return report;
}

/// `at` is the step or epoch behind which they are saved.
void Trainer::save_weights(const std::filesystem::path& path, const NamedTensors& weights,
                           std::int64_t at) const {
  if (!folder_) return;
  save_tensors(
      path, weights,
      {{"config", subject_->options().dump()}, {std::string(kind().unit), std::to_string(at)}});
}

void Trainer::save_state() {
  if (!folder_) return;
  log_->sync();
  auto progress = progress_;
  progress.seconds = seconds();
  save_run_state(paths().state(), learner_, progress);
  saved_step_ = next_step();
}

void Trainer::finish() {
  save_weights(paths().last(), weights_of(*subject_), length() - 1);
  const auto mean = learner_.state().mean;
  if (!mean.empty()) save_weights(paths().average(), mean, length() - 1);
  save_state();
  const auto average = learner_.evaluate_mean();  // by all ranks
  if (!folder_) return;
  log_->write_csv();
  auto result = subject_->facts();
  result["steps"] = steps();
  result[kind().length()] = length();
  result[kind().best_at()] = progress_.best_at;
  result[std::string(kind().best)] = progress_.best;
  if (!kind().test.empty()) result[std::string(kind().test)] = progress_.best_test;
  if (average) {
    result["average_" + std::string(kind().validation)] = average->validation;
    if (average->test) result["average_" + std::string(kind().test)] = *average->test;
  }
  result["seconds"] = seconds();
  write_file(paths().result(), result.dump(2) + "\n");
}

}  // namespace npq::train
