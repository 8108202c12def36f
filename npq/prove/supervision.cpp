#include "npq/prove/supervision.h"

#include <fmt/format.h>

#include <numeric>

#include "npq/memory/catalog.h"
#include "npq/train/loop/algorithm_subject.h"
#include "npq/train/loop/learner.h"
#include "npq/train/measuring/estimate.h"

namespace npq::prove {
namespace {

constexpr std::int64_t kEnds = 10;  // steps at each end whose mean is compared

double mean(const double* begin, std::int64_t count) {
  return std::accumulate(begin, begin + count, 0.0) / static_cast<double>(count);
}

bool is_attention(const std::string& name) {
  return name.starts_with("memory/a1.") || name.starts_with("memory/a2.") ||
         name.starts_with("memory/a.");
}

}  // namespace

double SupervisionRun::first() const { return mean(losses.data(), kEnds); }
double SupervisionRun::last() const { return mean(losses.data() + losses.size() - kEnds, kEnds); }

std::vector<std::string> SupervisionRow::unreached() const {
  std::map<std::string, bool> names;
  for (const auto& run : runs)
    for (const auto& [name, norm] : run.gradients)
      if (norm == 0) names[name] = true;
  std::vector<std::string> list;
  for (const auto& [name, unused] : names) list.push_back(name);
  return list;
}

bool SupervisionRow::holds() const {
  const auto missing = unreached();
  return std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run.learns(); }) &&
         std::all_of(missing.begin(), missing.end(), is_attention);
}

SupervisionRun train_without_hints(const std::string& memory, std::uint64_t seed,
                                   const ProveOptions& options) {
  train::TrainOptions training;
  training.algorithm = "dijkstra";
  training.memory = memory::memory_options(memory);
  training.model.hint_mode = model::HintMode::None;
  training.model.hidden = options.hidden;
  training.batch = options.batch;
  train::check_training_fits(training);
  training.seed = seed;
  train::AlgorithmSubject subject(training);
  train::Learner learner(subject);
  SupervisionRun run{.seed = seed, .losses = {}, .gradients = {}};
  for (std::int64_t step = 0; step < options.steps; ++step) {
    const auto report = learner.update();
    run.losses.push_back(report.loss);
    // Clipping has shortened the gradients that lie in the store: undone here.
    const double clipped =
        training.clip > 0 ? std::max(1.0, report.gradient_norm / training.clip) : 1;
    const auto& store = subject.store();
    for (const auto& [name, value] : store) {
      if (!name.starts_with("memory/")) continue;
      run.gradients[name] +=
          store.grad(name).norm().item<double>() * clipped / static_cast<double>(options.steps);
    }
  }
  return run;
}

std::vector<SupervisionRow> prove_supervision(const std::vector<std::string>& memories,
                                              const ProveOptions& options, int threads,
                                              const ProofProgress& progress) {
  std::vector<SupervisionRow> rows;
  for (const auto& memory : memories)
    rows.push_back({memory, std::vector<SupervisionRun>(options.seeds.size())});
  const std::size_t seeds = options.seeds.size();
  side_by_side(
      threads, memories.size() * seeds,
      [&](std::size_t job) {
        rows[job / seeds].runs[job % seeds] =
            train_without_hints(memories[job / seeds], options.seeds[job % seeds], options);
      },
      [&](std::size_t job) {
        return fmt::format("{}, seed {}", memories[job / seeds], options.seeds[job % seeds]);
      },
      progress);
  return rows;
}

}  // namespace npq::prove
