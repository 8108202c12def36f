#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "npq/base/files/run_folder.h"
#include "npq/lrgb/peptide_subject.h"
#include "npq/train/checkpoints/model_files.h"
#include "npq/train/scoring/score_sheet.h"

// What the stored models of a run on peptides are worth.
namespace npq::lrgb {

/// Mean absolute errors over the molecules of a part, standardised, with 95% intervals that chance
/// in the choice of molecules leaves (bootstrap, as in train/scoring/score_sheet.h).
struct ErrorSheet {
  train::Figure error;                 // over all targets: what the trainer measures
  std::vector<train::Figure> targets;  // in their order
  std::vector<double> molecules;       // error of each, mean over targets
};
ErrorSheet error_sheet(const PeptideSubject& subject, peptides::Part part,
                       memory::Ablation ablation = memory::Ablation::None);

struct PeptideModel {
  std::string name;  // "best", "last" or "average"
  std::filesystem::path file;
  std::int64_t epoch = 0;  // behind which it was saved
};

/// The models of a run, see train::find_model_files.
std::vector<PeptideModel> find_peptide_models(const RunPaths& paths, train::Which which);

/// Its weights and statistics, into a subject of the run's options.
void load_peptide_model(const PeptideModel& model, const PeptideSubject& subject);

}  // namespace npq::lrgb
