// npq peptides train: one run, with progress, Ctrl-C and resume.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/about.h"
#include "app/engine/engine.h"
#include "app/engine/training/train_run.h"
#include "app/output.h"
#include "npq/base/resources.h"
#include "npq/lrgb/initial.h"
#include "npq/lrgb/model.h"
#include "npq/lrgb/runs.h"
#include "npq/train/measuring/estimate.h"

namespace npq::app {
namespace {

/// Weights, their gradients and Adam's two averages; what the molecules take comes on top.
void check_fits(const PeptidesTrainCommand& command) {
  const auto& model = command.options.model;
  command.options.validate();
  const double weights = train::weight_bytes(lrgb::shapes_of(lrgb::Model::parameters(model)));
  const auto what =
      fmt::format("training with --hidden {} and --layers {}", model.width(), model.layers);
  check_memory(4 * weights, what, "a smaller --hidden or --layers");
  check_disk(train::kFolderOfWeights * weights, command.folder(), what, "a smaller --hidden");
}

}  // namespace

int run_peptides_train(const PeptidesTrainCommand& command) {
  const int threads = use_threads(command.threads);
  for (const auto& note : command.notes) complain(note);
  keep_large_memory();
  const bool resuming = !command.resume.empty();
  if (!resuming) check_fits(command);
  const auto trainer = resuming
                           ? lrgb::resume_run(command.resume, command.changes)
                           : lrgb::start_run(command.folder(), command.options, about(threads));
  const auto ending = train_with_progress(
      *trainer, {.folder = command.folder(), .resuming = resuming, .quiet = command.quiet});
  return ending == train::Ending::Stopped ? 1 : 0;
}

}  // namespace npq::app
