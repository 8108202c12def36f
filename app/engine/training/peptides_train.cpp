// npq peptides train: one run, with progress, Ctrl-C and resume.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/about.h"
#include "app/engine/engine.h"
#include "app/engine/interrupt.h"
#include "app/output.h"
#include "app/terminal.h"
#include "npq/base/resources.h"
#include "npq/lrgb/initial.h"
#include "npq/lrgb/model.h"
#include "npq/lrgb/trainer.h"
#include "npq/train/measuring/estimate.h"

namespace npq::app {
namespace {

void print_title(const lrgb::Trainer& trainer, const std::string& folder) {
  const auto& options = trainer.options();
  fmt::print(
      "peptides, {}, layer {}, memory {}, seed {}: {} parameters; every option is in {}/"
      "config.json\n",
      name_of_choice(lrgb::kBases, options.model.base),
      name_of_choice(lrgb::kLayers, options.model.layer), options.model.memory.name, options.seed,
      trainer.learner().store().elements(), folder);
}

std::string epoch_text(const lrgb::EpochReport& report) {
  return fmt::format("epoch {:>4}  loss {:.4f}  val MAE {:.4f}  test MAE {:.4f}{}", report.epoch,
                     report.loss, report.val, report.test, report.best ? "  (best)" : "");
}

/// Weights, their gradients and Adam's two averages; the molecules come on top.
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
  const auto trainer =
      resuming ? lrgb::Trainer::resume(command.resume, command.changes)
               : lrgb::Trainer::start(command.folder(), command.options, about(threads));
  if (!command.quiet) {
    print_title(*trainer, command.folder());
    if (resuming) {
      fmt::print("going on with step {}\n", trainer->learner().next_step());
    } else if (!command.options.init.empty()) {
      fmt::print("begins with the weights of {}\n", command.options.init);
    }
  }
  catch_interrupts();
  ProgressBar bar("step", trainer->total_steps(), command.quiet);
  GuardedOutput output;
  const auto ending =
      trainer->run({.step =
                        [&](const train::StepReport& report) {
                          output.print([&] {
                            bar.update(report.step + 1, fmt::format("loss {:.3f}", report.loss));
                          });
                        },
                    .epoch =
                        [&](const lrgb::EpochReport& report) {
                          if (!command.quiet) output.print([&] { bar.print(epoch_text(report)); });
                        },
                    .stop = [&] { return interrupted() || output.failed(); }});
  bar.clear();
  if (ending == train::Ending::Stopped)
    return stopped(output,
                   fmt::format("stopped before step {}; go on with: npq peptides train --resume {}",
                               trainer->learner().next_step(), command.folder()));
  const auto& best = trainer->progress();
  fmt::print("{}: {} epochs; val MAE {:.4f} at epoch {}, test MAE {:.4f} there\n", command.folder(),
             trainer->options().epochs, best.best_val, best.best_epoch, best.best_test);
  return 0;
}

}  // namespace npq::app
