#include "npq/train/scoring/score_sheet.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "npq/base/error.h"
#include "npq/base/percentile.h"
#include "npq/train/scoring/bootstrap.h"
#include "npq/train/scoring/tally.h"

namespace npq::train {
namespace {

using clrs::Probe;
using clrs::Stage;

/// A probe with the tallies of all samples: what its score is made of.
struct Column {
  const Probe* probe;
  std::vector<Tally> tallies;

  Tally total(const std::vector<std::int64_t>& chosen) const {
    Tally sum;
    for (const auto sample : chosen) sum += tallies[sample];
    return sum;
  }
  double score(const std::vector<std::int64_t>& chosen) const {
    return score_of(*probe, total(chosen));
  }
};

const Decided& find(const std::map<std::string, Decided>& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) throw Error("a sample has no predictions of '{}'", name);
  return found->second;
}

Column column(const Probe& probe, std::span<const ScoredSample> samples) {
  Column column{&probe, {}};
  for (const auto& sample : samples) {
    const auto& values = probe.stage == Stage::Hint ? sample.hints : sample.outputs;
    const auto mask = values.find(probe.name + "_mask");
    column.tallies.push_back(tally(probe, sample.nodes, find(values, probe.name),
                                   mask == values.end() ? nullptr : &mask->second));
  }
  return column;
}

std::vector<Column> columns(const clrs::Spec& spec, Stage stage,
                            std::span<const ScoredSample> samples) {
  std::vector<Column> all;
  for (const auto& probe : spec)
    if (probe.stage == stage && is_scored(spec, probe)) all.push_back(column(probe, samples));
  return all;
}

/// The plain mean of the outputs' scores.
double mean_score(const std::vector<Column>& outputs, const std::vector<std::int64_t>& chosen) {
  double sum = 0;
  for (const auto& output : outputs) sum += output.score(chosen);
  return sum / static_cast<double>(outputs.size());
}

std::vector<std::int64_t> all_of(std::size_t samples) {
  if (samples == 0) throw Error("no sample was scored; give at least one");
  std::vector<std::int64_t> all(samples);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// A figure as a function of which samples are looked at.
using Statistic = std::function<double(const std::vector<std::int64_t>& chosen)>;

class Bootstrap {
 public:
  explicit Bootstrap(std::vector<std::int64_t> all)
      : all_(std::move(all)),
        resamples_(
            draw_resamples(static_cast<std::int64_t>(all_.size()), kResamples, kResamplingSeed)) {}

  const std::vector<std::int64_t>& all() const { return all_; }

  Figure figure(const Statistic& statistic) const {
    std::vector<double> values;
    for (const auto& resample : resamples_) {
      const double value = statistic(resample);
      if (!std::isnan(value)) values.push_back(value);  // only samples in which nothing counts
    }
    const double value = statistic(all_);
    if (values.empty()) return {value, value, value};
    return {value, percentile(values, 0.025), percentile(values, 0.975)};
  }

  /// The mean of one number per sample.
  Figure mean(const std::vector<double>& per_sample) const {
    return figure([&](const auto& chosen) {
      double sum = 0;
      for (const auto sample : chosen) sum += per_sample[sample];
      return sum / static_cast<double>(chosen.size());
    });
  }

 private:
  std::vector<std::int64_t> all_;
  std::vector<std::vector<std::int64_t>> resamples_;
};

Figure exact_share(const std::vector<Column>& outputs, const Bootstrap& bootstrap) {
  std::vector<double> exact(bootstrap.all().size(), 1);
  for (const auto& output : outputs)
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (!is_perfect(*output.probe, output.tallies[i])) exact[i] = 0;
  return bootstrap.mean(exact);
}

void add_validity(ScoreSheet& sheet, std::span<const ScoredSample> samples,
                  const Bootstrap& bootstrap) {
  std::vector<double> valid, nodes, whole;
  for (const auto& sample : samples) {
    if (sample.valid.empty()) return;
    double count = 0;
    for (const int node : sample.valid) count += node;
    valid.push_back(count);
    nodes.push_back(static_cast<double>(sample.valid.size()));
    whole.push_back(valid.back() == nodes.back());
  }
  sheet.valid = bootstrap.figure([&](const auto& chosen) {
    double right = 0, all = 0;
    for (const auto sample : chosen) {
      right += valid[sample];
      all += nodes[sample];
    }
    return right / all;
  });
  sheet.all_valid = bootstrap.mean(whole);
}

}  // namespace

Scores scores_of(const clrs::Spec& spec, std::span<const ScoredSample> samples) {
  const auto all = all_of(samples.size());
  const auto outputs = columns(spec, Stage::Output, samples);
  Scores scores{.outputs = {}, .score = mean_score(outputs, all)};
  for (const auto& output : outputs) scores.outputs[output.probe->name] = output.score(all);
  return scores;
}

ScoreSheet score_sheet(const clrs::Spec& spec, std::span<const ScoredSample> samples) {
  const Bootstrap bootstrap(all_of(samples.size()));
  ScoreSheet sheet;
  const auto outputs = columns(spec, Stage::Output, samples);
  for (const auto& output : outputs)
    sheet.outputs[output.probe->name] =
        bootstrap.figure([&](const auto& chosen) { return output.score(chosen); });
  sheet.score = bootstrap.figure([&](const auto& chosen) { return mean_score(outputs, chosen); });
  sheet.exact = exact_share(outputs, bootstrap);
  add_validity(sheet, samples, bootstrap);
  if (samples.front().hints.empty()) return sheet;
  for (const auto& hint : columns(spec, Stage::Hint, samples)) {
    if (hint.total(bootstrap.all()).all == 0) continue;
    sheet.hints[hint.probe->name] =
        bootstrap.figure([&](const auto& chosen) { return hint.score(chosen); });
  }
  return sheet;
}

std::vector<double> sample_scores(const clrs::Spec& spec, std::span<const ScoredSample> samples) {
  std::vector<double> scores(samples.size());
  const auto outputs = columns(spec, Stage::Output, samples);
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (const auto& output : outputs)
      scores[i] += score_of(*output.probe, output.tallies[i]) / static_cast<double>(outputs.size());
  return scores;
}

Figure mean_difference(const std::vector<double>& scores, const std::vector<double>& others) {
  if (scores.empty() || scores.size() != others.size())
    throw Error("{} and {} scores cannot be compared sample by sample", scores.size(),
                others.size());
  std::vector<double> differences(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) differences[i] = scores[i] - others[i];
  return Bootstrap(all_of(scores.size())).mean(differences);
}

}  // namespace npq::train
