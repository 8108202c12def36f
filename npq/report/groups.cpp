#include "npq/report/groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "npq/base/files/run_folder.h"
#include "npq/report/pages/text.h"

namespace npq::report {
namespace {

const std::map<std::string, std::string> kPaperOptions = {
    {"hidden", "128"}, {"batch", "32"}, {"preset", "paper"}};

/// Two names of an experiment may stand for the same options; they are not mixed.
std::map<std::string, std::string> without_seed(const Run& run) {
  auto options = run.choices();
  options.erase("seed");
  options["method"] = run.method();
  return options;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string plain_label(const Run& run) {
  auto processor = upper(run.processor), method = run.method();
  if (method == "Baseline") return processor;
  if (method.starts_with(processor)) return method;
  return processor + (run.memory == "none" ? ", " : " + ") + method;
}

std::vector<double> values_of(const Group& group,
                              const std::function<std::optional<double>(const Run&)>& figure) {
  std::vector<double> values;
  for (const auto* run : group.runs)
    if (const auto value = figure(*run)) values.push_back(*value);
  return values;
}

/// Groups of the same algorithm and name get the options in which they differ.
void tell_apart(std::vector<Group>& groups) {
  std::map<std::pair<std::string, std::string>, std::vector<Group*>> same;
  for (auto& group : groups) same[{group.first().algorithm, group.label}].push_back(&group);
  for (const auto& [unused, alike] : same) {
    if (alike.size() < 2) continue;
    std::map<std::string, std::set<std::string>> values;
    for (const auto* group : alike)
      for (const auto& [key, value] : group->first().choices()) values[key].insert(value);
    values.erase("seed");
    for (auto* group : alike) {
      std::vector<std::string> differing;
      for (const auto& entry : values) {
        const auto& [key, all] = entry;
        const auto found = group->first().options.find(key);
        const bool everywhere = std::all_of(alike.begin(), alike.end(), [&](const Group* other) {
          return other->first().options.contains(entry.first);
        });
        if (found == group->first().options.end() || (all.size() == 1 && everywhere)) continue;
        // Of 64 digits the first eight tell apart.
        differing.push_back(key.ends_with("-checksum")
                                ? fmt::format("{} {}", key, found->second.substr(0, 8))
                                : fmt::format("{} {}", key, found->second));
      }
      if (!differing.empty()) group->label += fmt::format(" ({})", fmt::join(differing, ", "));
    }
  }
}

}  // namespace

Statistic statistic(std::span<const double> values) {
  Statistic result{.count = static_cast<int>(values.size()),
                   .values = {values.begin(), values.end()}};
  if (values.empty()) return result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(sum / static_cast<double>(values.size()));
  return result;
}

std::string spread(const Statistic& share) {
  if (share.count == 0) return "-";
  if (share.count == 1) return percent(share.mean);
  return fmt::format("{} ± {}", percent(share.mean), percent(share.deviation));
}

std::strong_ordering TestKey::operator<=>(const TestKey& other) const {
  const auto place = [](const TestKey& key) {
    return std::tuple(key.size, std::ranges::find(kModels, key.checkpoint) - std::begin(kModels));
  };
  const auto order = place(*this) <=> place(other);
  return order != 0 ? order : checkpoint <=> other.checkpoint;  // NOLINT(modernize-use-nullptr)
}

std::set<TestKey> tests_of(const std::vector<Run>& runs) {
  std::set<TestKey> keys;
  for (const auto& run : runs)
    for (const auto& test : run.tests) keys.insert({test.size, test.checkpoint});
  return keys;
}

std::set<TestKey> Group::tests() const {
  std::set<TestKey> keys;
  for (const auto* run : runs)
    for (const auto& test : run->tests) keys.insert({test.size, test.checkpoint});
  return keys;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Statistic Group::over(const std::function<std::optional<double>(const Run&)>& figure) const {
  return statistic(values_of(*this, figure));
}

double Group::median(const std::function<std::optional<double>(const Run&)>& figure) const {
  return median_of(values_of(*this, figure));
}

std::vector<Group> groups_of(const std::vector<Run>& runs) {
  std::vector<Group> groups;
  std::map<std::map<std::string, std::string>, std::size_t> index;
  for (const auto& run : runs) {
    const auto [at, is_new] = index.try_emplace(without_seed(run), groups.size());
    if (is_new) groups.push_back({.label = plain_label(run), .runs = {}, .colour = 0});
    groups[at->second].runs.push_back(&run);
  }
  tell_apart(groups);
  std::map<std::string, int> colours;
  for (auto& group : groups)
    group.colour = colours.try_emplace(group.label, static_cast<int>(colours.size())).first->second;
  return groups;
}

std::vector<BandPoint> band_of(std::span<const std::vector<Point>* const> curves, int most) {
  std::int64_t last = 0;
  std::set<std::int64_t> steps;
  for (const auto* curve : curves) {
    for (const auto& point : *curve) {
      last = std::max(last, point.step);
      steps.insert(point.step);
    }
  }
  // Buckets of equal width in steps; where all points fit, one bucket each.
  const bool all_fit = static_cast<int>(steps.size()) <= most;
  const double width = all_fit ? 1 : (static_cast<double>(last) + 1) / most;
  struct Bucket {
    std::vector<double> step, seconds;
    std::map<std::size_t, std::vector<double>> values;  // by run
  };
  std::map<std::int64_t, Bucket> buckets;
  for (std::size_t run = 0; run < curves.size(); ++run) {
    for (const auto& point : *curves[run]) {
      auto& bucket = buckets[static_cast<std::int64_t>(static_cast<double>(point.step) / width)];
      bucket.step.push_back(static_cast<double>(point.step));
      bucket.seconds.push_back(point.seconds);
      bucket.values[run].push_back(point.value);
    }
  }
  std::vector<BandPoint> band;
  for (const auto& [unused, bucket] : buckets) {
    std::vector<double> by_run;
    for (const auto& [run, values] : bucket.values) by_run.push_back(statistic(values).mean);
    const auto value = statistic(by_run);
    band.push_back(
        {statistic(bucket.step).mean, median_of(bucket.seconds), value.mean, value.deviation});
  }
  return band;
}

std::string shortfall(const Group& group) {
  std::vector<std::string> parts;
  const auto& kind = group.first().kind();
  const auto wanted_steps = paper_length(kind);
  auto fewest = wanted_steps;
  std::set<std::int64_t> seeds;
  bool all_finished = true;
  for (const auto* run : group.runs) {
    fewest = std::min(fewest, run->length());
    if (run->seed) seeds.insert(*run->seed);
    all_finished = all_finished && run->finished;
  }
  if (fewest < wanted_steps)
    parts.push_back(fmt::format("{} of {} {}", fewest, wanted_steps, kind.length()));
  if (static_cast<int>(seeds.size()) < kPaperSeeds)
    parts.push_back(fmt::format("{} of {} seeds", seeds.size(), kPaperSeeds));
  if (!all_finished) parts.emplace_back("not finished");
  if (&kind != &kAlgorithmRun) return fmt::format("{}", fmt::join(parts, ", "));
  for (const auto& [key, wanted] : kPaperOptions) {
    const auto found = group.first().options.find(key);
    if (found != group.first().options.end() && found->second != wanted)
      parts.push_back(fmt::format("{} {} instead of {}", key, found->second, wanted));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string paper_name(const std::string& memory) {
  if (memory == "none") return "Baseline";
  if (memory == "oracle") return "Oracle PQ";
  auto name = upper(memory);
  if (!name.starts_with("NPQ_")) return name;
  constexpr std::string_view kPlus = "_PLUS";  // ours, not the paper's: "NPQ_W plus"
  const bool plus = name.ends_with(kPlus);
  if (plus) name.resize(name.size() - kPlus.size());
  std::replace(name.begin() + 4, name.end(), '_', '-');
  return plus ? name + " plus" : name;
}

}  // namespace npq::report
