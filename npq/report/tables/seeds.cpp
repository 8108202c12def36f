#include "npq/report/tables/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace npq::report {
namespace {

/// The 97.5% point of Student's t; beyond ten a little above it.
double student(std::size_t freedom) {
  constexpr std::array kTable = {12.706, 4.303, 3.182, 2.776, 2.571,
                                 2.447,  2.365, 2.306, 2.262, 2.228};
  return freedom <= kTable.size() ? kTable[freedom - 1] : 1.96 + 2.7 / static_cast<double>(freedom);
}

using BySeed = std::map<std::int64_t, double>;

BySeed scores_of(const Group& group, const TestKey& key) {
  BySeed scores;
  for (const auto* run : group.runs)
    if (const auto score = run->test(key.size, key.checkpoint))
      scores[run->seed.value_or(0)] = *score;
  return scores;
}

std::vector<std::int64_t> seeds_of(const BySeed& scores) {
  std::vector<std::int64_t> seeds;
  for (const auto& [seed, unused] : scores) seeds.push_back(seed);
  return seeds;
}

std::vector<double> values_of(const BySeed& scores) {
  std::vector<double> values;
  for (const auto& [unused, score] : scores) values.push_back(score);
  return values;
}

/// The square of the standard error of a mean.
double squared_error(const Statistic& one) {
  return one.deviation * one.deviation / static_cast<double>(one.count - 1);
}

/// Of two means of different seeds, with the degrees of freedom of Welch and Satterthwaite, rounded
/// down.
std::optional<Interval> welch(const Statistic& a, const Statistic& b) {
  if (a.count < 2 || b.count < 2) return std::nullopt;
  const double from_a = squared_error(a), from_b = squared_error(b), sum = from_a + from_b;
  const double difference = a.mean - b.mean;
  if (sum == 0) return Interval{difference, difference};
  const double freedom =
      sum * sum / (from_a * from_a / (a.count - 1) + from_b * from_b / (b.count - 1));
  const double reach =
      student(static_cast<std::size_t>(std::max(1.0, freedom + 1e-9))) * std::sqrt(sum);
  return Interval{difference - reach, difference + reach};
}

}  // namespace

std::optional<Interval> interval_over_seeds(std::span<const double> differences) {
  if (differences.size() < 2) return std::nullopt;
  const auto all = statistic(differences);
  const double reach = student(differences.size() - 1) * std::sqrt(squared_error(all));
  return Interval{all.mean - reach, all.mean + reach};
}

std::string points(double difference) { return fmt::format("{:+.2f}", difference * 100); }

std::string points(const Interval& interval) {
  return fmt::format("[{},\u00a0{}]", points(interval.low), points(interval.high));
}

std::string SeedDifference::seeds_text() const {
  return seeds == other_seeds ? std::to_string(seeds.size())
                              : fmt::format("{} against {}", seeds.size(), other_seeds.size());
}

std::optional<SeedDifference> seed_difference(const Group& model, const Group& other,
                                              const TestKey& key) {
  auto own = scores_of(model, key), others = scores_of(other, key);
  if (own.empty() || others.empty()) return std::nullopt;
  const bool paired = std::any_of(own.begin(), own.end(),
                                  [&](const auto& one) { return others.contains(one.first); });
  if (paired) {
    const auto all = own;
    std::erase_if(own, [&](const auto& one) { return !others.contains(one.first); });
    std::erase_if(others, [&](const auto& one) { return !all.contains(one.first); });
  }
  const auto mine = statistic(values_of(own)), theirs = statistic(values_of(others));
  SeedDifference result{.score = mine,
                        .other_score = theirs,
                        .interval = {},
                        .seeds = seeds_of(own),
                        .other_seeds = seeds_of(others)};
  if (!paired) {
    result.interval = welch(mine, theirs);
    return result;
  }
  std::vector<double> differences;
  for (const auto& [seed, score] : own) differences.push_back(score - others.at(seed));
  result.interval = interval_over_seeds(differences);
  return result;
}

}  // namespace npq::report
