#include <algorithm>
#include <span>

#include "npq/clrs/samplers/common.h"

// Numbers on nodes: keys to sort and search, activities, tasks, the weights of a search tree.
namespace npq::clrs {
namespace {

constexpr std::string_view kOneKey = "a sample needs a key";

Scalars draw(random::RandomState& random, int count, Range range) {
  return random.uniform(range.low, range.high, static_cast<std::size_t>(count));
}

}  // namespace

// Blocks of up to 128 run eight sums side by side; longer arrays are halved, at a multiple of 8.
double pairwise_sum(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 8) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  if (count <= 128) {
    double r[8];
    std::copy_n(values.begin(), 8, r);
    const std::size_t whole = count - count % 8;
    for (std::size_t i = 8; i < whole; ++i) r[i % 8] += values[i];
    double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (const double value : values.subspan(whole)) sum += value;
    return sum;
  }
  const std::size_t half = count / 2 - count / 2 % 8;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

Inputs sample_keys(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, kOneKey);
  return Keys{truncated(options, draw(random, length, range_of(options)))};
}

Inputs sample_sorted_keys_and_target(random::RandomState& random, int length,
                                     const SamplerOptions& options) {
  check(options, length, 1, kOneKey);
  const Range range = range_of(options);
  Scalars key = draw(random, length, range);
  std::sort(key.begin(), key.end());
  const double target = random.uniform(range.low, range.high);
  return SortedKeysAndTarget{truncated(options, std::move(key)), truncated(options, target)};
}

Inputs sample_max_subarray(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, kOneKey);
  return Keys{truncated(options, draw(random, length, range_of(options, -1)))};
}

Inputs sample_search_tree(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, "a search tree needs a key");
  Scalars weights = draw(random, 2 * length + 1, {0, 1});  // always: they become probabilities
  const double sum = pairwise_sum(weights);
  for (double& weight : weights) weight /= sum;
  const auto gaps = weights.begin() + length;
  return SearchTree{truncated(options, Scalars(weights.begin(), gaps)),
                    truncated(options, Scalars(gaps, weights.end()))};
}

Inputs sample_activities(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, "a sample needs an activity");
  const Range range = range_of(options);
  Scalars start = draw(random, length, range);
  Scalars finish = draw(random, length, range);
  for (int i = 0; i < length; ++i) {
    if (finish[i] < start[i]) std::swap(start[i], finish[i]);
  }
  return Activities{truncated(options, std::move(start)), truncated(options, std::move(finish))};
}

Inputs sample_tasks(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, "a sample needs a task");
  const Range range = range_of(options);
  Tasks tasks;
  const auto deadlines = random.randint(0, options.max_deadline.value_or(length), length);
  for (const std::int64_t deadline : deadlines) tasks.d.push_back(static_cast<int>(deadline) + 1);
  tasks.w = truncated(options, draw(random, length, range));
  return tasks;
}

Inputs sample_operations(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, "a sample needs an operation");
  Operations operations{truncated(options, draw(random, length, range_of(options))), {}};
  for (const auto pop : random.binomial(1, 0.5, static_cast<std::size_t>(length)))
    operations.pop_after.push_back(static_cast<std::int8_t>(pop));
  return operations;
}

}  // namespace npq::clrs
