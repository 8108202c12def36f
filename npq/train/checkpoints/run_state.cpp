#include "npq/train/checkpoints/run_state.h"

#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/state_fields.h"

namespace npq::train {
namespace {

std::string text(double number) { return fmt::format("{}", number); }

Metadata fields_of(const Subject& subject, const Learner::State& state,
                   const RunProgress& progress) {
  const auto& kind = subject.kind();
  auto fields = subject.state();
  fields["config"] = subject.options().dump();
  fields["next_step"] = std::to_string(state.next_step);
  fields["updates"] = std::to_string(state.adam.updates);
  fields[kind.best_at()] = std::to_string(progress.best_at);
  fields[std::string(kind.best_in_state)] = text(progress.best);
  if (!kind.test.empty()) fields["best_test"] = text(progress.best_test);
  fields["seconds"] = text(progress.seconds);
  return fields;
}

RunProgress progress_of(const StoredState& state, const RunKind& kind) {
  return {.best_at = state.whole(kind.best_at().c_str()),
          .best = state.real(std::string(kind.best_in_state).c_str()),
          .best_test = kind.test.empty() ? -1 : state.real("best_test"),
          .seconds = state.real("seconds")};
}

}  // namespace

std::int64_t StoredState::whole(const char* key) const {
  return number_of<std::int64_t>(loaded.metadata, key, path);
}

double StoredState::real(const char* key) const {
  return number_of<double>(loaded.metadata, key, path);
}

std::int64_t StoredState::count(const char* key, std::int64_t steps,
                                const std::string& length) const {
  // The file is untrusted: a step far beyond the run's end would be sought for hours.
  const auto number = whole(key);
  if (number >= 0 && number <= steps) return number;
  throw Error("'{}' says '{}' is {}, but this run ends after {} steps; ask for more with --{}",
              path.string(), key, number, steps, length);
}

at::Tensor StoredState::tensor(const std::string& name, const at::Tensor& like) const {
  const auto found = loaded.tensors.find(name);
  if (found == loaded.tensors.end() || found->second.sizes() != like.sizes() ||
      found->second.scalar_type() != like.scalar_type())
    throw Error("'{}' has no '{}' of this run's shape; it belongs to another run", path.string(),
                name);
  return found->second;
}

RunState run_state(const Learner& learner, const RunProgress& progress) {
  const auto& subject = learner.subject();
  const auto state = learner.state();
  auto tensors = weights_of(subject);
  std::size_t k = 0;
  for (const auto& entry : subject.store()) {
    tensors.emplace_back("adam/m/" + entry.name, state.adam.m[k]);
    tensors.emplace_back("adam/v/" + entry.name, state.adam.v[k]);
    ++k;
  }
  for (const auto& [name, mean] : state.mean) tensors.emplace_back("average/" + name, mean);
  return {std::move(tensors), fields_of(subject, state, progress)};
}

void save_run_state(const std::filesystem::path& path, const Learner& learner,
                    const RunProgress& progress) {
  const auto state = run_state(learner, progress);
  save_tensors(path, state.tensors, state.fields);
}

RunProgress load_run_state(const std::filesystem::path& path, Learner& learner) {
  return take_run_state({path, load_tensors(path)}, learner);
}

RunProgress take_run_state(const StoredState& stored, Learner& learner) {
  auto& subject = learner.subject();
  check_same_run(subject.options(), stored.loaded.metadata, subject.changeable(), stored.path);
  const auto count = [&](const char* key) {
    return stored.count(key, subject.steps(), subject.kind().length());
  };
  Learner::State state{
      .next_step = count("next_step"), .adam = {.updates = count("updates")}, .mean = {}};
  const auto progress = progress_of(stored, subject.kind());
  std::vector<at::Tensor> values;
  for (const auto& entry : subject.store()) {
    values.push_back(stored.tensor(entry.name, entry.value));
    state.adam.m.push_back(stored.tensor("adam/m/" + entry.name, entry.value));
    state.adam.v.push_back(stored.tensor("adam/v/" + entry.name, entry.value));
  }
  if (subject.average() > 0)
    for (const auto& [name, tensor] : weights_of(subject))
      state.mean.emplace_back(name, stored.tensor("average/" + name, tensor));
  // The last that can fail; then all is read and sound.
  subject.set_state(stored);
  const at::NoGradGuard no_grad;
  std::size_t k = 0;
  for (const auto& entry : subject.store()) entry.value.detach().copy_(values[k++]);
  learner.set_state(state);
  return progress;
}

}  // namespace npq::train
