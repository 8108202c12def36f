#include "npq/train/checkpoints/run_state.h"

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/state_fields.h"

namespace npq::train {
namespace {

/// The file is untrusted: seeking a step far beyond the run's end would take hours.
std::int64_t count_of(const Metadata& metadata, const char* key, const std::filesystem::path& path,
                      std::int64_t steps) {
  const auto number = number_of<std::int64_t>(metadata, key, path);
  if (number >= 0 && number <= steps) return number;
  throw Error("'{}' says '{}' is {}, but this run ends after {} steps; ask for more with --steps",
              path.string(), key, number, steps);
}

}  // namespace

void save_run_state(const std::filesystem::path& path, const Learner& learner,
                    const Progress& progress) {
  const auto state = learner.state();
  const auto& store = learner.network().store;
  auto tensors = tensors_of(store);
  std::size_t k = 0;
  for (const auto& entry : store) {
    tensors.emplace_back("adam/m/" + entry.name, state.adam.m[k]);
    tensors.emplace_back("adam/v/" + entry.name, state.adam.v[k]);
    ++k;
  }
  save_tensors(path, tensors,
               {{"config", to_json(learner.options()).dump()},
                {"next_step", std::to_string(state.next_step)},
                {"updates", std::to_string(state.adam.updates)},
                {"position", std::to_string(state.position)},
                {"best_step", std::to_string(progress.best_step)},
                {"best_score", fmt::format("{}", progress.best_score)},
                {"seconds", fmt::format("{}", progress.seconds)}});
}

Progress load_run_state(const std::filesystem::path& path, Learner& learner) {
  const auto loaded = load_tensors(path);
  const auto& metadata = loaded.metadata;
  const auto steps = learner.options().steps;
  check_same_run(to_json(learner.options()), metadata, kChangeable, path);
  Learner::State state{.next_step = count_of(metadata, "next_step", path, steps),
                       .position = count_of(metadata, "position", path, steps),
                       .adam = {.updates = count_of(metadata, "updates", path, steps)}};
  const auto tensor = [&](const std::string& name, const at::Tensor& like) {
    const auto found = loaded.tensors.find(name);
    if (found == loaded.tensors.end() || found->second.sizes() != like.sizes())
      throw Error("'{}' has no '{}' of this run's shape; it belongs to another run", path.string(),
                  name);
    return found->second;
  };
  const Progress progress{.best_score = number_of<double>(metadata, "best_score", path),
                          .best_step = number_of<std::int64_t>(metadata, "best_step", path),
                          .seconds = number_of<double>(metadata, "seconds", path)};
  std::vector<at::Tensor> values;
  for (const auto& entry : learner.network().store) {
    values.push_back(tensor(entry.name, entry.value));
    state.adam.m.push_back(tensor("adam/m/" + entry.name, entry.value));
    state.adam.v.push_back(tensor("adam/v/" + entry.name, entry.value));
  }
  std::size_t k = 0;
  for (const auto& entry : learner.network().store) entry.value.detach().copy_(values[k++]);
  learner.set_state(state);
  return progress;
}

}  // namespace npq::train
