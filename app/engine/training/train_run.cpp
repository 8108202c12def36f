// What npq train and npq peptides train show while they train.
#include "app/engine/training/train_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/interrupt.h"
#include "app/output.h"
#include "app/terminal.h"
#include "npq/base/files/json_file.h"

namespace npq::app {
namespace {

void print_title(const train::Trainer& trainer, const ShownRun& shown) {
  const auto options = trainer.subject().options();
  const auto layer = text_at(options, "layer");
  fmt::print("{}, {}{}, memory {}, seed {}: {} parameters; every option is in {}/config.json\n",
             text_at(options, "algorithm"), text_at(options, "processor"),
             layer.empty() ? "" : ", layer " + layer, text_at(options, "memory"),
             options.at("seed").dump(), trainer.subject().store().elements(), shown.folder);
  if (shown.resuming) {
    fmt::print("going on with step {}\n", trainer.next_step());
  } else if (const auto init = text_at(options, "init"); !init.empty()) {
    fmt::print("begins with the weights of {}\n", init);
  }
}

std::string evaluation_text(const train::EvaluationReport& report) {
  const auto* best = report.best ? "  (best)" : "";
  if (!report.test) {
    std::string sizes;  // "val_16 0.9500  "
    for (const auto& [name, score] : report.figures)
      sizes += fmt::format("{} {:.4f}  ", name, score);
    return fmt::format("step {:>6}  {}validation {:.4f}{}", report.step, sizes, report.validation,
                       best);
  }
  return fmt::format("epoch {:>4}  loss {:.4f}  val MAE {:.4f}  test MAE {:.4f}{}",
                     report.epoch.value_or(0), report.figures.at("epoch_loss"), report.validation,
                     *report.test, best);
}

std::string note(double loss, std::optional<double> validation) {
  return fmt::format("loss {:.3f}", loss) +
         (validation ? fmt::format("  validation {:.3f}", *validation) : "");
}

std::string result_text(const train::Trainer& trainer) {
  const auto& best = trainer.progress();
  if (trainer.kind().test.empty())
    return fmt::format("{} steps, best validation {:.4f} at step {}", trainer.steps(), best.best,
                       best.best_at);
  return fmt::format("{} epochs; val MAE {:.4f} at epoch {}, test MAE {:.4f} there",
                     trainer.length(), best.best, best.best_at, best.best_test);
}

}  // namespace

train::Ending train_with_progress(train::Trainer& trainer, const ShownRun& shown) {
  if (!shown.quiet) print_title(trainer, shown);
  catch_interrupts();
  ProgressBar bar("step", trainer.steps(), shown.quiet);
  std::optional<double> validation;
  GuardedOutput output;
  const auto ending = trainer.run(
      {.step =
           [&](const train::StepReport& report) {
             output.print([&] { bar.update(report.step + 1, note(report.loss, validation)); });
           },
       .evaluation =
           [&](const train::EvaluationReport& report) {
             validation = report.validation;
             if (!shown.quiet) output.print([&] { bar.print(evaluation_text(report)); });
           },
       .stop = [&] { return interrupted() || output.failed(); }});
  bar.clear();
  if (ending == train::Ending::Stopped)
    stopped(output, fmt::format("stopped before step {}; go on with: npq {} --resume {}",
                                trainer.next_step(), trainer.kind().command, shown.folder));
  else
    fmt::print("{}: {}\n", shown.folder, result_text(trainer));
  return ending;
}

}  // namespace npq::app
