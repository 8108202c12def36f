#include "npq/lrgb/trainer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/train/checkpoints/run_config.h"

namespace npq::lrgb {
namespace {

using peptides::Part;

constexpr std::int64_t kLogEvery = 10;
constexpr double kSaveEverySeconds = 60;

nlohmann::json line_of(const EpochReport& report) {
  return {{"step", report.step},       {"epoch", report.epoch},
          {"epoch_loss", report.loss}, {"val_mae", report.val},
          {"test_mae", report.test},   {"learning_rate", report.learning_rate},
          {"best", report.best},       {"seconds", report.seconds}};
}

}  // namespace

Trainer::Trainer(RunFolder folder, const TrainOptions& options, peptides::Dataset dataset)
    : folder_(std::move(folder)),
      dataset_(std::move(dataset)),
      learner_(options, dataset_),
      log_(folder_.paths()),
      begin_(std::chrono::steady_clock::now()) {}

std::unique_ptr<Trainer> Trainer::start(const std::filesystem::path& folder, TrainOptions options,
                                        const nlohmann::json& about) {
  options.validate();
  auto dataset = peptides::load_dataset(options.data);
  options.data_checksum = peptides::dataset_checksum(options.data);
  Learner probe(options, dataset);  // what cannot be learned must not leave a folder behind
  if (!options.init.empty())
    options.init_checksum = load_initial_weights(options.init, options.init_checksum, probe);
  auto config = to_json(options);
  config["about"] = about;
  std::unique_ptr<Trainer> trainer(
      new Trainer(train::begin_run(folder, config), options, std::move(dataset)));
  trainer->initialise();
  return trainer;
}

void Trainer::initialise() {
  if (options().init.empty()) return;
  load_initial_weights(options().init, options().init_checksum, learner_);
}

std::unique_ptr<Trainer> Trainer::resume(const std::filesystem::path& folder,
                                         const ResumeOptions& changes) {
  auto run = RunFolder::resume(folder);
  auto config = train::read_config(run.paths());
  auto options = train_options(config, run.paths().config().string());
  options.epochs = changes.epochs.value_or(options.epochs);
  options.patience = changes.patience.value_or(options.patience);
  options.factor = changes.factor.value_or(options.factor);
  options.learning_rate = changes.learning_rate.value_or(options.learning_rate);
  options.least_rate = changes.least_rate.value_or(options.least_rate);
  options.validate();
  auto dataset = peptides::load_dataset(options.data);
  if (const auto sum = peptides::dataset_checksum(options.data); sum != options.data_checksum)
    throw Error(
        "the data set '{}' is not the one that run '{}' began with (its checksum is {}..., not "
        "{}...); put that one back or start a new run",
        options.data, folder.string(), sum.substr(0, 12), options.data_checksum.substr(0, 12));
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(run), options, std::move(dataset)));
  const auto state = trainer->paths().state();
  auto& learner = trainer->learner_;
  if (std::filesystem::exists(state)) {
    trainer->progress_ = load_run_state(state, learner);
    trainer->saved_step_ = learner.next_step();
  } else {
    trainer->initialise();
  }
  const bool other_rate =
      changes.learning_rate && *changes.learning_rate != learner.state().plateau.rate;
  if (train::change_options(config, to_json(options), "epochs", learner.next_step(),
                            other_rate ? "learning-rate" : "")) {
    if (learner.next_step() == trainer->total_steps())
      throw UsageError(
          "run '{}' has made its {} epochs, so other options would change nothing; ask for more "
          "epochs with --epochs",
          folder.string(), options.epochs);
    // The result goes first: a process killed in between leaves a run that counts as unfinished.
    std::filesystem::remove(trainer->paths().result());
    train::write_config(trainer->paths(), config);
  }
  // The state has the rate that the schedule had come to before it was changed.
  if (const auto rate = train::changed_at(config, "learning-rate", learner.next_step()))
    learner.state().plateau.rate = *rate;
  trainer->log_.cut_beyond_step(trainer->learner_.next_step() - 1);
  return trainer;
}

double Trainer::seconds() const {
  return progress_.seconds +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

train::Ending Trainer::run(const Watchers& watchers) {
  double saved_at = seconds();
  while (learner_.next_step() < total_steps()) {
    const auto report = update();
    if (report.step % kLogEvery == 0) log_.append(report, seconds());
    if (watchers.step) watchers.step(report);
    const bool epoch_ends = learner_.next_step() % learner_.steps_per_epoch() == 0;
    if (epoch_ends) {
      const auto epoch = finish_epoch();
      if (watchers.epoch) watchers.epoch(epoch);
    }
    const bool stop = learner_.next_step() < total_steps() && watchers.stop && watchers.stop();
    if (epoch_ends || stop || seconds() - saved_at > kSaveEverySeconds) {
      save_state();
      saved_at = seconds();
    }
    if (stop) return train::Ending::Stopped;
  }
  finish();
  return train::Ending::Finished;
}

train::StepReport Trainer::update() {
  try {
    return learner_.update();
  } catch (const Error& error) {
    throw Error("{}; {}", error.what(),
                train::advice_after_divergence("npq peptides train", paths(), learner_.next_step(),
                                               saved_step_, learner_.state().plateau.rate));
  }
}

EpochReport Trainer::finish_epoch() {
  auto& state = learner_.state();
  const auto step = learner_.next_step() - 1;
  EpochReport report{
      .epoch = step / learner_.steps_per_epoch(),
      .step = step,
      .loss = state.loss_sum / static_cast<double>(dataset_.split[Part::Train].size()),
      .val = learner_.mean_error(Part::Val),
      .test = learner_.mean_error(Part::Test),
      .learning_rate = state.plateau.rate};
  // With the L1 loss the validation loss, which the schedule follows, is the validation error.
  const auto& options = learner_.options();
  state.plateau.step(report.val, options.patience, options.factor, options.least_rate);
  report.best = progress_.best_epoch < 0 || report.val < progress_.best_val;
  if (report.best) {
    progress_.best_epoch = report.epoch;
    progress_.best_val = report.val;
    progress_.best_test = report.test;
    save_weights(paths().best(), report.epoch);
  }
  report.seconds = seconds();
  auto line = line_of(report);
  if (const auto health = learner_.memory_health(); !health.empty()) line["memory"] = health;
  log_.append(line);
  return report;
}

void Trainer::save_weights(const std::filesystem::path& path, std::int64_t epoch) const {
  train::save_tensors(path, weights_of(learner_),
                      {{"config", to_json(options()).dump()}, {"epoch", std::to_string(epoch)}});
}

void Trainer::save_state() {
  log_.sync();
  auto progress = progress_;
  progress.seconds = seconds();
  save_run_state(paths().state(), learner_, progress);
  saved_step_ = learner_.next_step();
}

void Trainer::finish() {
  save_weights(paths().last(), options().epochs - 1);
  save_state();
  log_.write_csv();
  const auto& about = dataset_.about;
  const auto source = about.find("source");
  const nlohmann::json result{{"epochs", options().epochs},
                              {"steps", total_steps()},
                              {"best_epoch", progress_.best_epoch},
                              {"val_mae", progress_.best_val},
                              {"test_mae", progress_.best_test},
                              {"parameters", learner_.store().elements()},
                              {"data", source == about.end() ? "unknown" : source->second},
                              {"seconds", seconds()}};
  write_file(paths().result(), result.dump(2) + "\n");
}

}  // namespace npq::lrgb
