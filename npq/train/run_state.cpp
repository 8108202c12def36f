#include "npq/train/run_state.h"

#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/train/checkpoint.h"

namespace npq::train {
namespace {

std::string text_of(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

template <class Number>
Number number_of(const Metadata& metadata, const char* key, const std::filesystem::path& path) {
  const auto text = text_of(metadata, key);
  Number number = 0;
  const auto* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last)
    throw Error("'{}' does not say its '{}'; it is no state of a run", path.string(), key);
  return number;
}

/// Nobody vouches for the file: a step far beyond the run's end would be sought for hours.
std::int64_t count_of(const Metadata& metadata, const char* key, const std::filesystem::path& path,
                      std::int64_t steps) {
  const auto number = number_of<std::int64_t>(metadata, key, path);
  if (number >= 0 && number <= steps) return number;
  throw Error("'{}' says '{}' is {}, but this run ends after {} steps; ask for more with --steps",
              path.string(), key, number, steps);
}

void check_same_run(const nlohmann::json& own, const std::string& stated,
                    const std::filesystem::path& path) {
  const auto saved = nlohmann::json::parse(stated, nullptr, /*allow_exceptions=*/false);
  if (!saved.is_object())
    throw Error("'{}' does not say which run it belongs to; it is no state of a run",
                path.string());
  for (const auto& [key, value] : own.items()) {
    if (key == "steps" || (saved.contains(key) && saved.at(key) == value)) continue;
    throw Error("'{}' was saved with {} {}, but this run has {}; it belongs to another run",
                path.string(), key, saved.contains(key) ? saved.at(key).dump() : "unknown",
                value.dump());
  }
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
  check_same_run(to_json(learner.options()), text_of(metadata, "config"), path);
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
