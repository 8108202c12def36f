#include "npq/lrgb/run_state.h"

#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "npq/train/checkpoints/initial_weights.h"
#include "npq/train/checkpoints/state_fields.h"

namespace npq::lrgb {
namespace {

std::string statistics_name(std::size_t layer, const char* what) {
  return "statistics/" + std::to_string(layer) + "/" + what;
}

std::string text(double number) { return fmt::format("{}", number); }

/// A tensor of the file in the shape that this run has.
at::Tensor loaded_like(const train::LoadedTensors& loaded, const std::string& name,
                       const at::Tensor& like, const std::filesystem::path& path) {
  const auto found = loaded.tensors.find(name);
  if (found == loaded.tensors.end() || found->second.sizes() != like.sizes() ||
      found->second.scalar_type() != like.scalar_type())
    throw Error("'{}' has no '{}' of this run's shape; it belongs to another run", path.string(),
                name);
  return found->second;
}

}  // namespace

train::NamedTensors weights_of(const Learner& learner) {
  auto tensors = train::tensors_of(learner.store());
  const auto& statistics = learner.state().statistics;
  for (std::size_t k = 0; k < statistics.size(); ++k) {
    tensors.emplace_back(statistics_name(k, "mean"), statistics[k].mean);
    tensors.emplace_back(statistics_name(k, "variance"), statistics[k].variance);
  }
  return tensors;
}

std::string load_initial_weights(const std::string& run_or_file, const std::string& checksum,
                                 Learner& learner) {
  const auto weights = train::read_initial_weights(run_or_file, checksum);
  train::take_weights(weights, run_or_file, weights_of(learner));
  return weights.checksum;
}

void save_run_state(const std::filesystem::path& path, const Learner& learner,
                    const Progress& progress) {
  auto tensors = weights_of(learner);
  const auto& adam = learner.adam().state();
  std::size_t k = 0;
  for (const auto& entry : learner.store()) {
    tensors.emplace_back("adam/m/" + entry.name, adam.m[k]);
    tensors.emplace_back("adam/v/" + entry.name, adam.v[k]);
    ++k;
  }
  const auto& state = learner.state();
  train::save_tensors(path, tensors,
                      {{"config", to_json(learner.options()).dump()},
                       {"next_step", std::to_string(state.next_step)},
                       {"updates", std::to_string(adam.updates)},
                       {"loss_sum", text(state.loss_sum)},
                       {"plateau_rate", text(state.plateau.rate)},
                       {"plateau_best", text(state.plateau.best)},
                       {"plateau_bad", std::to_string(state.plateau.bad)},
                       {"best_epoch", std::to_string(progress.best_epoch)},
                       {"best_val", text(progress.best_val)},
                       {"best_test", text(progress.best_test)},
                       {"seconds", text(progress.seconds)}});
}

Progress load_run_state(const std::filesystem::path& path, Learner& learner) {
  const auto loaded = train::load_tensors(path);
  const auto& metadata = loaded.metadata;
  train::check_same_run(to_json(learner.options()), metadata, kChangeable, path);
  const auto whole = [&](const char* key) {
    return train::number_of<std::int64_t>(metadata, key, path);
  };
  const auto real = [&](const char* key) { return train::number_of<double>(metadata, key, path); };

  const auto steps = learner.options().epochs * learner.steps_per_epoch();
  Learner::State state;
  state.next_step = whole("next_step");
  if (state.next_step < 0 || state.next_step > steps)
    throw Error("'{}' has made {} steps, but this run ends after {}; ask for more with --epochs",
                path.string(), state.next_step, steps);
  state.loss_sum = real("loss_sum");
  state.plateau = {real("plateau_rate"), real("plateau_best"), whole("plateau_bad")};
  const auto& fresh = learner.state().statistics;
  for (std::size_t k = 0; k < fresh.size(); ++k)
    state.statistics.push_back(
        {loaded_like(loaded, statistics_name(k, "mean"), fresh[k].mean, path),
         loaded_like(loaded, statistics_name(k, "variance"), fresh[k].variance, path)});
  train::Adam::State adam{.updates = whole("updates")};
  std::vector<at::Tensor> values;
  for (const auto& entry : learner.store()) {
    values.push_back(loaded_like(loaded, entry.name, entry.value, path));
    adam.m.push_back(loaded_like(loaded, "adam/m/" + entry.name, entry.value, path));
    adam.v.push_back(loaded_like(loaded, "adam/v/" + entry.name, entry.value, path));
  }
  const Progress progress{.best_epoch = whole("best_epoch"),
                          .best_val = real("best_val"),
                          .best_test = real("best_test"),
                          .seconds = real("seconds")};
  // All is read and sound: only now is the learner changed.
  const at::NoGradGuard no_grad;
  std::size_t k = 0;
  for (const auto& entry : learner.store()) entry.value.detach().copy_(values[k++]);
  learner.adam().set_state(adam);
  learner.state() = std::move(state);
  return progress;
}

}  // namespace npq::lrgb
