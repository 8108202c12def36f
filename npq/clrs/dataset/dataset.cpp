#include "npq/clrs/dataset/dataset.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "npq/base/names.h"
#include "npq/base/parallel.h"
#include "npq/base/resources.h"

namespace npq::clrs {

void GenerateOptions::validate(const Algorithm& algorithm) const {
  if (samples < 1) throw UsageError("{} samples were asked for; expected at least 1", samples);
  if (length < algorithm.minimum_length)
    throw UsageError("{} needs at least {} nodes, but {} were asked for; ask for {} or more",
                     algorithm.name, algorithm.minimum_length, length, algorithm.minimum_length);
  // A length that is itself too large need not be counted on from.
  const int nodes = length > kMostNodes ? length : algorithm.nodes(length);
  if (nodes > kMostNodes)
    throw UsageError("{} nodes were asked for; a trace holds at most {}", nodes, kMostNodes);
  sampler.validate();
}

namespace {

double mean_steps(const Algorithm& algorithm, int length) {
  constexpr int kSamples = 4;
  random::RandomState random(1);
  Trace trace(algorithm.spec());
  double steps = 0;
  for (int k = 0; k < kSamples; ++k) {
    algorithm.run(algorithm.sample(random, length, {}), trace);
    steps += trace.finish().length();
  }
  return steps / kSamples;
}

/// Whether even very long runs need little memory: then nothing has to be estimated.
bool surely_small(const Algorithm& algorithm, const GenerateOptions& options) {
  constexpr double kSmall = 1e8;
  constexpr int kStepsPerNode = 64;
  const int nodes = algorithm.nodes(options.length);
  const auto one = offsets(algorithm.spec(), nodes, kStepsPerNode * nodes).back();
  return static_cast<double>(one) * static_cast<double>(options.samples) < kSmall;
}

void check_fits(const Algorithm& algorithm, const GenerateOptions& options) {
  if (surely_small(algorithm, options)) return;
  check_memory(least_bytes(algorithm, options),
               fmt::format("{}: {} samples of {} nodes", algorithm.name, options.samples,
                           algorithm.nodes(options.length)),
               "fewer samples, smaller graphs");
}

}  // namespace

double least_steps(const Algorithm& algorithm, int length) {
  const int small = std::max(8, algorithm.minimum_length), large = small + 8;
  const double steps = mean_steps(algorithm, std::min(length, large));
  if (length <= large) return steps / 2;
  const double slope = (steps - mean_steps(algorithm, small)) / (large - small);
  const bool grows = slope > 0.25;  // a logarithm of the length grows by less
  return (steps + (grows ? slope * (length - large) : 0)) / 2;
}

double least_bytes(const Algorithm& algorithm, const GenerateOptions& options) {
  const int steps = std::max(1, static_cast<int>(least_steps(algorithm, options.length)));
  const auto& spec = algorithm.spec(options.sampler.generator);
  const auto one = offsets(spec, algorithm.nodes(options.length), steps).back();
  return static_cast<double>(one) * (1 + static_cast<double>(options.samples));
}

double least_file_bytes(const Algorithm& algorithm, const GenerateOptions& options) {
  const double steps = std::max(1.0, least_steps(algorithm, options.length));
  double numbers = 0;
  for (const auto& probe : algorithm.spec(options.sampler.generator))
    numbers += static_cast<double>(elements(probe, algorithm.nodes(options.length))) *
               (probe.stage == Stage::Hint ? steps : 1);
  return 8 * numbers * static_cast<double>(options.samples);
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
  check_fits(algorithm, options);
  const Spec& spec = algorithm.spec(options.sampler.generator);
  random::RandomState random(options.seed);
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
