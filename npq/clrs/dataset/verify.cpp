#include "npq/clrs/dataset/verify.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/formats/sha256.h"
#include "npq/base/parallel.h"
#include "npq/clrs/dataset/official.h"

namespace npq::clrs {
namespace {

constexpr double kSumTolerance = 1e-9;
constexpr std::size_t kFirst = 10;  // samples that sha256_first10 covers

/// The running index of the published weighted sum repeats with this period.
constexpr std::size_t kWeightPeriod = 1009;

struct Sums {
  long double plain = 0, absolute = 0, weighted = 0, absolute_weighted = 0, squared = 0;
  std::size_t index = 0;
  void add(double value) {
    const long double weight = 1 + index++ % kWeightPeriod;
    plain += value;
    absolute += std::fabs(value);
    weighted += value * weight;
    absolute_weighted += std::fabs(value) * weight;
    squared += static_cast<long double>(value) * value;
  }
};

/// One array over all samples as one stream of 64-bit numbers, hashed sample by sample.
template <class Number>
struct Stream {
  Sha256 all, first;
  std::size_t count = 0;
  Sums sums;

  void add(const Dataset& dataset, std::size_t probe, bool with_sums) {
    std::vector<Number> frames;
    for (std::size_t k = 0; k < dataset.samples.size(); ++k) {
      const Series series = dataset.samples[k].series(probe);
      const std::int64_t width = elements(series.probe(), series.nodes());
      frames.resize(width * series.length());
      for (int t = 0; t < series.length(); ++t) series.expand(t, frames.data() + t * width);
      const auto bytes = std::as_bytes(std::span(frames));
      all.update(bytes);
      if (k < kFirst) first.update(bytes);
      count += frames.size();
      if (with_sums)
        for (const auto value : frames) sums.add(value);
    }
  }
};

/// sin, cos and atan2 differ between C libraries in the last bit.
bool depends_on_c_library(const Algorithm& algorithm, const std::string& name) {
  const bool hull = algorithm.name == "graham_scan" || algorithm.name == "jarvis_march";
  return hull && (name == "input/x" || name == "input/y" || name == "hint/atans");
}

bool sums_agree(const Sums& found, const nlohmann::json& known) {
  const auto near = [](long double a, double b, long double scale) {
    return std::fabs(a - b) <= kSumTolerance * std::max(1.0L, scale);
  };
  return near(found.plain, known.at("sum"), found.absolute) &&
         near(found.absolute, known.at("sum_abs"), found.absolute) &&
         near(found.squared, known.at("sum_sq"), found.squared) &&
         near(found.weighted, known.at("sum_weighted"), found.absolute_weighted);
}

template <class Number>
ArrayCheck compare(const Dataset& dataset, std::size_t probe, const std::string& name,
                   const nlohmann::json& known, const char* hash_key) {
  const bool by_sums = depends_on_c_library(*dataset.algorithm, name);
  Stream<Number> found;
  found.add(dataset, probe, by_sums);
  const std::string first = found.first.hex_digest(), all = found.all.hex_digest();
  if (all == known.at(hash_key) && first == known.at("sha256_first10") &&
      found.count == known.at("count"))
    return {name, Agreement::Exact, ""};
  if (by_sums && found.count == known.at("count") && sums_agree(found.sums, known))
    return {name, Agreement::Sums, "sums within 1e-9; the last bits depend on the C library"};
  return {name, Agreement::Differs,
          fmt::format("expected {} numbers, SHA-256 {}; found {}, {}{}",
                      known.at("count").get<std::size_t>(), known.at(hash_key).get<std::string>(),
                      found.count, all,
                      first == known.at("sha256_first10") ? " (the first ten samples agree)" : "")};
}

ArrayCheck compare_lengths(const Dataset& dataset, const nlohmann::json& known) {
  std::vector<std::int64_t> lengths;
  for (const auto& sample : dataset.samples) lengths.push_back(sample.length());
  const std::string found = sha256_hex(std::as_bytes(std::span(lengths)));
  if (found == known.at("sha256_i64")) return {"length", Agreement::Exact, ""};
  return {"length", Agreement::Differs, "trajectory lengths differ"};
}

}  // namespace

int SplitCheck::matching() const {
  return static_cast<int>(std::count_if(arrays.begin(), arrays.end(), [](const ArrayCheck& check) {
    return check.agreement != Agreement::Differs;
  }));
}

SplitCheck verify_split(const Dataset& dataset, Split split) {
  const Algorithm& algorithm = *dataset.algorithm;
  const auto& known =
      official_splits().at(std::string(algorithm.name)).at(std::string(name_of(split)));
  SplitCheck result{&algorithm, split, {}};
  const Spec& spec = dataset.samples.front().spec();
  const auto& arrays = known.at("arrays");
  for (std::size_t k = 0; k < spec.size(); ++k) {
    const std::string name = fmt::format("{}/{}", name_of(spec[k].stage), spec[k].name);
    if (!arrays.contains(name)) {
      result.arrays.push_back({name, Agreement::Differs, "not part of the official data"});
      continue;
    }
    const auto& array = arrays.at(name);
    result.arrays.push_back(array.contains("sha256_i64")
                                ? compare<std::int64_t>(dataset, k, name, array, "sha256_i64")
                                : compare<double>(dataset, k, name, array, "sha256_f64"));
  }
  for (const auto& [name, array] : arrays.items())
    if (std::none_of(result.arrays.begin(), result.arrays.end(),
                     [&, &name = name](const ArrayCheck& check) { return check.name == name; }))
      result.arrays.push_back({name, Agreement::Differs, "missing in the generated data"});
  const auto lengths = compare_lengths(dataset, known.at("traj_len"));
  if (lengths.agreement == Agreement::Differs) result.arrays.push_back(lengths);
  return result;
}

std::vector<SplitCheck> verify(const std::vector<const Algorithm*>& algorithms, int threads,
                               const Progress& progress) {
  struct Task {
    const Algorithm* algorithm;
    Split split;
  };
  std::vector<Task> tasks;
  for (const auto* algorithm : algorithms)
    for (const Split split : kSplits) tasks.push_back({algorithm, split});
  std::vector<SplitCheck> results(tasks.size());
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_for(threads, tasks.size(), [&](std::size_t t) {
    const auto& [algorithm, split] = tasks[t];
    results[t] = verify_split(generate(*algorithm, official_split(*algorithm, split), 1), split);
    if (!progress) return;
    const std::lock_guard lock(mutex);
    progress(++done, static_cast<std::int64_t>(tasks.size()));
  });
  return results;
}

}  // namespace npq::clrs
