#include "npq/train/trainer.h"

#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "npq/base/atomic_file.h"
#include "npq/base/error.h"
#include "npq/train/checkpoint.h"

namespace npq::train {
namespace {

constexpr std::int64_t kLogEvery = 10;
constexpr double kSaveEverySeconds = 60;

nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  auto json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw Error("'{}' is no JSON object; the run folder is damaged", path.string());
  return json;
}

double number_of(const Metadata& metadata, const char* key, const std::filesystem::path& path) {
  const auto found = metadata.find(key);
  double number = 0;
  const auto* text = found == metadata.end() ? "" : found->second.c_str();
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), number);
  if (error != std::errc() || *end != 0 || end == text)
    throw Error("'{}' does not say its '{}'; it is no state of a run", path.string(), key);
  return number;
}

}  // namespace

Trainer::Trainer(RunFolder folder, const TrainOptions& options)
    : folder_(std::move(folder)),
      learner_(options),
      validation_(
          clrs::generate(network().task.algorithm(),
                         clrs::official_split(network().task.algorithm(), clrs::Split::Val))),
      metrics_(folder_.paths().metrics()),
      begin_(std::chrono::steady_clock::now()) {}

std::unique_ptr<Trainer> Trainer::start(const std::filesystem::path& folder,
                                        const TrainOptions& options, const nlohmann::json& about) {
  options.validate();
  auto config = to_json(options);
  config["about"] = about;
  auto run = RunFolder::create(folder);
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(run), options));
  write_file(trainer->paths().config(), config.dump(2) + "\n");
  return trainer;
}

std::unique_ptr<Trainer> Trainer::resume(const std::filesystem::path& folder,
                                         std::int64_t total_steps) {
  auto run = RunFolder::resume(folder);
  const auto path = run.paths().config();
  auto config = read_json(path);
  auto options = train_options(config, path.string());
  if (total_steps > 0 && total_steps != options.steps) {
    options.steps = total_steps;
    config["steps"] = total_steps;
    write_file(path, config.dump(2) + "\n");
  }
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(run), options));
  if (std::filesystem::exists(trainer->paths().state())) trainer->load_state();
  trainer->metrics_.cut_beyond_step(trainer->next_step() - 1);
  return trainer;
}

double Trainer::seconds() const {
  return seconds_before_ +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Ending Trainer::run(const Watchers& watchers) {
  double saved_at = seconds();
  while (next_step() < options().steps) {
    const auto report = update();
    const bool last = next_step() == options().steps;
    if (report.step % kLogEvery == 0 || last) log(report);
    if (watchers.step) watchers.step(report);

    const bool evaluated = report.step % options().evaluate_every == 0;
    if (evaluated) {
      const auto evaluation = evaluate(report.step);
      log(evaluation);
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
    throw Error("{}. The last good state is in '{}'", error.what(), paths().state().string());
  }
}

EvaluationReport Trainer::evaluate(std::int64_t step) {
  const auto predictions = predict(network(), validation_.samples, options().batch, /*keep=*/false);
  EvaluationReport report{.step = step,
                          .score = predictions.scores.score(),
                          .scores = predictions.scores.by_output(),
                          .seconds = seconds()};
  report.best = report.score > best_score_;
  if (!report.best) return report;
  best_score_ = report.score;
  best_step_ = step;
  save_tensors(paths().best(), tensors_of(network().store),
               {{"config", to_json(options()).dump()}, {"step", std::to_string(step)}});
  return report;
}

void Trainer::log(const StepReport& report) {
  metrics_.append(nlohmann::json{
      {"step", report.step},
      {"loss", report.loss},
      {"losses", report.losses},
      {"gradient_norm", report.gradient_norm},
      {"seconds",
       seconds()}}.dump());
}

void Trainer::log(const EvaluationReport& report) {
  metrics_.append(nlohmann::json{{"step", report.step},
                                 {"val", report.score},
                                 {"scores", report.scores},
                                 {"best", report.best},
                                 {"seconds", report.seconds}}
                      .dump());
}

void Trainer::save_state() {
  metrics_.sync();
  const auto state = learner_.state();
  auto tensors = tensors_of(network().store);
  std::size_t k = 0;
  for (const auto& entry : network().store) {
    tensors.emplace_back("adam/m/" + entry.name, state.adam.m[k]);
    tensors.emplace_back("adam/v/" + entry.name, state.adam.v[k]);
    ++k;
  }
  save_tensors(paths().state(), tensors,
               {{"next_step", std::to_string(state.next_step)},
                {"updates", std::to_string(state.adam.updates)},
                {"position", std::to_string(state.position)},
                {"best_step", std::to_string(best_step_)},
                {"best_score", fmt::format("{}", best_score_)},
                {"seconds", fmt::format("{}", seconds())}});
}

void Trainer::load_state() {
  const auto path = paths().state();
  const auto loaded = load_tensors(path);
  const auto tensor = [&](const std::string& name, const at::Tensor& like) {
    const auto found = loaded.tensors.find(name);
    if (found == loaded.tensors.end() || found->second.sizes() != like.sizes())
      throw Error("'{}' has no '{}' of this run's shape; it belongs to another run", path.string(),
                  name);
    return found->second;
  };
  const auto number = [&](const char* key) { return number_of(loaded.metadata, key, path); };
  Learner::State state{.next_step = static_cast<std::int64_t>(number("next_step")),
                       .position = static_cast<std::int64_t>(number("position")),
                       .adam = {.updates = static_cast<std::int64_t>(number("updates"))}};
  for (const auto& entry : network().store) {
    state.adam.m.push_back(tensor("adam/m/" + entry.name, entry.value));
    state.adam.v.push_back(tensor("adam/v/" + entry.name, entry.value));
    entry.value.detach().copy_(tensor(entry.name, entry.value));
  }
  learner_.set_state(state);
  best_step_ = static_cast<std::int64_t>(number("best_step"));
  best_score_ = number("best_score");
  seconds_before_ = number("seconds");
}

void Trainer::finish() {
  save_tensors(
      paths().last(), tensors_of(network().store),
      {{"config", to_json(options()).dump()}, {"step", std::to_string(options().steps - 1)}});
  save_state();
  write_file(paths().result(), nlohmann::json{{"steps", options().steps},
                                              {"best_step", best_step_},
                                              {"best_val", best_score_},
                                              {"seconds", seconds()}}
                                       .dump(2) +
                                   "\n");
}

}  // namespace npq::train
