#include "npq/report/tables/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "npq/report/pages/text.h"
#include "npq/report/tables/sign_test.h"
#include "npq/report/tables/verdicts.h"

namespace npq::report {
namespace {

using Kind = Verdict::Kind;
using Verdicts = std::vector<Verdict>;

constexpr std::size_t kNamed = 3;  // more than these are counted
constexpr std::string_view kOther = "the same network without a memory";

/// A value of a metric as people read it, and a difference of two.
std::string figure(double value, const Metric& metric) {
  return metric.is_share ? fmt::format("{:.2f}%", value * 100) : fmt::format("{:.4f}", value);
}
std::string change(double value, const Metric& metric) {
  return metric.is_share ? fmt::format("{:+.2f}", value * 100) : fmt::format("{:+.4f}", value);
}
/// What follows a difference.
std::string_view unit(const Metric& metric) { return metric.is_share ? " points" : ""; }

const Metric& metric_of(const std::vector<Group>& groups) {
  return groups.front().first().metric();
}

/// "95% interval over seeds +8.90 to +11.77"; where only that over graphs holds zero, that one.
std::string interval_of(const Verdict& verdict) {
  const auto holds_zero = [](const Interval& one) {
    return !one.is_above_zero() && !one.is_below_zero();
  };
  const bool graphs =
      verdict.over_graphs && holds_zero(*verdict.over_graphs) && !holds_zero(*verdict.over_seeds);
  const auto& shown = graphs ? *verdict.over_graphs : *verdict.over_seeds;
  return fmt::format("95% interval over {} {} to {}", graphs ? "graphs" : "seeds",
                     change(shown.low, verdict.metric()), change(shown.high, verdict.metric()));
}

std::string tested_on(std::int64_t size) {
  return size == kOwnTestSet ? "by test error in standard deviations of the targets "
                             : fmt::format("on test graphs of {} nodes ", size);
}

/// What a model has: "gets 84.20% of the answer right".
std::string has(double score, const Metric& metric) {
  return fmt::format(fmt::runtime(metric.is_share ? "gets {} of the answer right"
                                                  : "has a test error of {} standard deviations"),
                     figure(score, metric));
}

/// Of one model and its counterpart.
std::string of_a_pair(const Verdict& verdict) {
  const auto& metric = verdict.metric();
  auto text = fmt::format("{}{} {} and {} {}, a difference of {}{}", tested_on(verdict.size),
                          verdict.model->label, has(verdict.score, metric), verdict.other->label,
                          figure(verdict.other_score, metric), change(verdict.difference(), metric),
                          metric.less_is_better() ? " (less is better)" : unit(metric));
  if (verdict.kind == Kind::OneDraw) return text;
  return fmt::format("{}, {} chance ({})", text, verdict.kind == Kind::Open ? "within" : "beyond",
                     interval_of(verdict));
}

/// The models of a kind with their differences, largest first, and what they all do ("is better" or
/// "are better"); where they are many, how many.
std::string of_kind(const Verdicts& all, Kind kind, std::string_view is, std::string_view are) {
  Verdicts some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some),
               [&](const Verdict& verdict) { return verdict.kind == kind; });
  std::stable_sort(some.begin(), some.end(), [](const Verdict& a, const Verdict& b) {
    return std::abs(a.difference()) > std::abs(b.difference());
  });
  std::vector<std::string> names;
  for (const auto& verdict : some)
    names.push_back(fmt::format("{} ({}{}, {})", verdict.model->label,
                                change(verdict.difference(), verdict.metric()),
                                unit(verdict.metric()), interval_of(verdict)));
  if (names.empty()) return "";
  if (names.size() <= kNamed)
    return fmt::format("{} {}", listed(names), names.size() == 1 ? is : are);
  return fmt::format("{} models {}{}", names.size(), are,
                     kind == Kind::Open ? "" : ", most of all " + names.front());
}

/// What can be said of the models that have several seeds.
std::string of_several_seeds(const Verdicts& all) {
  std::vector<std::string> parts;
  const auto add = [&](Kind kind, std::string_view what, std::string_view link) {
    // The first part says what all are compared with.
    const auto with = parts.empty() ? fmt::format(" {} {}", link, kOther) : std::string();
    auto part = kind == Kind::Open ? of_kind(all, kind, fmt::format("differs{} {}", with, what),
                                             fmt::format("differ{} {}", with, what))
                                   : of_kind(all, kind, fmt::format("is {}{}", what, with),
                                             fmt::format("are {}{}", what, with));
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(Kind::Better, "better", "than");
  add(Kind::Worse, "worse", "than");
  add(Kind::Open, "by no more than chance", "from");
  if (parts.size() > 1) parts.back() = "and " + parts.back();
  return tested_on(all.front().size) + joined(parts, ", ");
}

/// If no two models share several seeds, only the best numbers are given.
std::string of_single_draws(const Verdicts& all) {
  const auto& metric = all.front().metric();
  const auto& top = *std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return metric.is_better(b.score, a.score);
  });
  const auto text =
      fmt::format("{}the {} with a memory is {}, that of {}", tested_on(all.front().size),
                  metric.less_is_better() ? "least test error" : "highest score",
                  figure(top.score, metric), top.model->label);
  return fmt::format("{}, and {} without one has {}", text, top.other->label,
                     figure(top.other_score, metric));
}

std::string of_counts(const Verdicts& all) {
  const auto count = [&](Kind kind) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Verdict& verdict) { return verdict.kind == kind; });
  };
  return fmt::format(
      "of {} comparisons with {}, {} are better and {} worse beyond chance, {} are within it and "
      "{} rest on one seed",
      all.size(), kOther, count(Kind::Better), count(Kind::Worse), count(Kind::Open),
      count(Kind::OneDraw));
}

/// The sign tests of the best models, as far as they can be listed.
std::string of_signs(const std::vector<Group>& groups) {
  std::vector<std::string> parts;
  for (const auto& one : signs_of(groups))
    if (one.checkpoint == "best") parts.push_back(one.text());
  return parts.size() > kNamed ? "" : joined(parts, "; ");
}

bool is_anything(const std::vector<Group>& groups, bool (*is)(const Run&)) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.runs.begin(), group.runs.end(),
                       [&](const Run* run) { return is(*run); });
  });
}

/// Nothing is tested: what is left are the validations.
std::string of_validations(const std::vector<Group>& groups) {
  const auto& metric = metric_of(groups);
  const auto validation = [](const Group& group) {
    return group.over(
        [](const Run& run) { return run.best ? std::optional(run.best->value) : std::nullopt; });
  };
  const Group* best = nullptr;
  for (const auto& group : groups) {
    const auto score = validation(group);
    if (score.count == 0) continue;
    if (best == nullptr || metric.is_better(score.mean, validation(*best).mean)) best = &group;
  }
  const bool tests_itself = !groups.front().first().kind().test.empty();
  const auto* none =
      tests_itself ? "none was tested" : "none was tested (npq evaluate RUN does it)";
  if (best == nullptr) return none;
  return fmt::format("{}, and the {} validation {} is {}, that of {}", none,
                     metric.less_is_better() ? "least" : "highest", metric.name,
                     figure(validation(*best).mean, metric), best->label);
}

std::string without_comparison(const std::vector<Group>& groups) {
  if (!is_anything(groups, [](const Run& run) { return run.finished; }))
    return "no run is finished, so nothing can be compared yet";
  if (!is_anything(groups, [](const Run& run) { return !run.tests.empty(); }))
    return of_validations(groups);
  constexpr auto kNone = "there is no finished model without a memory to compare with";
  std::vector<const Group*> all = {&groups.front()};
  const auto size = common_size(all);
  if (groups.size() > 1 || !size) return kNone;
  const auto score =
      groups.front().over([&](const Run& run) { return run.test(*size, "best"); }).mean;
  // Of its own test set the metric says enough.
  return fmt::format("{}it {}, and {}", *size == kOwnTestSet ? "" : tested_on(*size),
                     has(score, metric_of(groups)), kNone);
}

}  // namespace

std::vector<std::string> algorithms_of(const std::vector<Group>& groups) {
  std::set<std::string> names;
  for (const auto& group : groups) names.insert(group.first().algorithm);
  return {names.begin(), names.end()};
}

std::string what_differs(const std::vector<Group>& groups) {
  const auto all = verdicts(groups);
  if (all.empty()) return without_comparison(groups);
  if (groups.size() <= 2) return of_a_pair(all.front());
  const auto algorithms = algorithms_of(groups);
  if (algorithms.size() > kNamed) return joined({of_signs(groups), of_counts(all)}, "; ");
  std::vector<std::string> parts;
  for (const auto& algorithm : algorithms) {
    Verdicts own;
    std::copy_if(all.begin(), all.end(), std::back_inserter(own), [&](const Verdict& verdict) {
      return verdict.model->first().algorithm == algorithm;
    });
    if (own.empty()) continue;
    const bool decided = std::any_of(own.begin(), own.end(), [](const Verdict& verdict) {
      return verdict.kind != Kind::OneDraw;
    });
    parts.push_back((algorithms.size() > 1 ? "for " + algorithm + " " : "") +
                    (decided ? of_several_seeds(own) : of_single_draws(own)));
  }
  return joined(parts, "; ");
}

}  // namespace npq::report
