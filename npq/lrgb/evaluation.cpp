#include "npq/lrgb/evaluation.h"

#include "npq/base/error.h"
#include "npq/base/percentile.h"
#include "npq/train/checkpoints/initial_weights.h"
#include "npq/train/checkpoints/state_fields.h"
#include "npq/train/scoring/bootstrap.h"

namespace npq::lrgb {
namespace {

using train::Figure;

using Resamples = std::vector<std::vector<std::int64_t>>;

/// `value` is the mean of `errors` as summed by the caller.
Figure with_interval(double value, const std::vector<double>& errors, const Resamples& resamples) {
  std::vector<double> means;
  for (const auto& rows : resamples) {
    double sum = 0;
    for (const auto row : rows) sum += errors[static_cast<std::size_t>(row)];
    means.push_back(sum / static_cast<double>(rows.size()));
  }
  return {value, percentile(means, 0.025), percentile(means, 0.975)};
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

ErrorSheet error_sheet(const PeptideSubject& subject, peptides::Part part,
                       memory::Ablation ablation) {
  const auto errors = subject.errors(part, ablation);
  const auto molecules = errors.size() / peptides::kTargets;
  const auto resamples = train::draw_resamples(static_cast<std::int64_t>(molecules),
                                               train::kResamples, train::kResamplingSeed);
  ErrorSheet sheet{.molecules = std::vector<double>(molecules)};
  for (std::size_t target = 0; target < peptides::kTargets; ++target) {
    std::vector<double> column(molecules);
    for (std::size_t m = 0; m < molecules; ++m) {
      column[m] = errors[m * peptides::kTargets + target];
      sheet.molecules[m] += column[m] / peptides::kTargets;
    }
    sheet.targets.push_back(with_interval(mean_of(column), column, resamples));
  }
  sheet.error = with_interval(mean_of(errors), sheet.molecules, resamples);
  return sheet;
}

std::vector<PeptideModel> find_peptide_models(const RunPaths& paths, train::Which which) {
  std::vector<PeptideModel> models;
  for (const auto& [name, file] : train::find_model_files(paths, which)) {
    const auto metadata = train::load_tensors(file).metadata;
    models.push_back({name, file, train::number_of<std::int64_t>(metadata, "epoch", file)});
  }
  return models;
}

void load_peptide_model(const PeptideModel& model, const PeptideSubject& subject) {
  train::take_weights(train::read_initial_weights(model.file.string(), ""), model.file.string(),
                      train::weights_of(subject));
}

}  // namespace npq::lrgb
