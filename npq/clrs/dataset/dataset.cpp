#include "npq/clrs/dataset/dataset.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "npq/base/names.h"
#include "npq/base/parallel.h"

namespace npq::clrs {

void GenerateOptions::validate(const Algorithm& algorithm) const {
  if (samples < 1) throw UsageError("{} samples were asked for; expected at least 1", samples);
  if (length < algorithm.minimum_length)
    throw UsageError("{} needs at least {} nodes, but {} were asked for; ask for {} or more",
                     algorithm.name, algorithm.minimum_length, length, algorithm.minimum_length);
  if (algorithm.nodes(length) > kMostNodes)
    throw UsageError("{} nodes were asked for; a trace holds at most {}", algorithm.nodes(length),
                     kMostNodes);
  sampler.validate();
}

int Dataset::longest() const {
  int steps = 0;
  for (const auto& sample : samples) steps = std::max(steps, sample.length());
  return steps;
}

std::size_t Dataset::bytes() const {
  return std::accumulate(samples.begin(), samples.end(), std::size_t{0},
                         [](std::size_t sum, const Sample& s) { return sum + s.bytes(); });
}

Dataset generate(const Algorithm& algorithm, const GenerateOptions& options, int threads,
                 const Progress& progress) {
  options.validate(algorithm);
  const Spec& spec = algorithm.spec(options.sampler.generator);
  RandomState random(options.seed);
  std::vector<std::optional<Sample>> made(options.samples);
  std::mutex draw_mutex, progress_mutex;
  std::int64_t drawn = 0, done = 0;

  // Each worker takes the next draw in turn, under a lock, and runs the algorithm on it outside.
  const auto work = [&](std::size_t) {
    Trace trace(spec);
    while (true) {
      std::int64_t index;
      Inputs inputs;
      {
        const std::lock_guard lock(draw_mutex);
        if (drawn == options.samples) return;
        index = drawn++;
        inputs = algorithm.sample(random, options.length, options.sampler);
      }
      algorithm.run(inputs, trace);
      made[index].emplace(trace.finish());
      if (!progress) continue;
      const std::lock_guard lock(progress_mutex);
      progress(++done, options.samples);
    }
  };
  const int workers = threads > 0 ? threads : available_threads();
  parallel_for(workers, std::min<std::size_t>(workers, options.samples), work);

  std::vector<Sample> samples;
  samples.reserve(made.size());
  for (auto& sample : made) samples.push_back(std::move(*sample));
  return {&algorithm, options, std::move(samples), random};
}

std::string_view name_of(Split split) {
  switch (split) {
    case Split::Train:
      return "train";
    case Split::Val:
      return "val";
    case Split::Test:
      return "test";
  }
  NPQ_ASSERT(false);
}

Split find_split(std::string_view name) {
  for (const Split split : kSplits)
    if (name_of(split) == name) return split;
  static constexpr std::string_view known[] = {"train", "val", "test"};
  throw unknown_name("split", name, known);
}

GenerateOptions official_split(const Algorithm& algorithm, Split split) {
  switch (split) {
    case Split::Train:
      return {.seed = 1, .length = 16, .samples = 1000};
    case Split::Val:
      return {.seed = 2, .length = 16, .samples = 32 * algorithm.multiplier};
    case Split::Test:
      return {.seed = 3, .length = 64, .samples = 32 * algorithm.multiplier};
  }
  NPQ_ASSERT(false);
}

std::vector<Dataset> generate_official(int threads, const Progress& progress) {
  struct Task {
    const Algorithm* algorithm;
    Split split;
  };
  std::vector<Task> tasks;
  for (const auto& algorithm : catalog())
    for (const Split split : kSplits) tasks.push_back({&algorithm, split});

  std::vector<std::optional<Dataset>> made(tasks.size());
  std::mutex progress_mutex;
  std::int64_t done = 0;
  parallel_for(threads, tasks.size(), [&](std::size_t t) {
    const auto& [algorithm, split] = tasks[t];
    made[t].emplace(generate(*algorithm, official_split(*algorithm, split), 1));
    if (!progress) return;
    const std::lock_guard lock(progress_mutex);
    progress(++done, static_cast<std::int64_t>(tasks.size()));
  });
  std::vector<Dataset> all;
  all.reserve(made.size());
  for (auto& dataset : made) all.push_back(std::move(*dataset));
  return all;
}

}  // namespace npq::clrs
