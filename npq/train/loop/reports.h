#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace npq::train {

struct StepReport {
  std::int64_t step = 0;                 // 0-based: the update just made
  double loss = 0;                       // before it
  double gradient_norm = 0;              // before clipping
  std::map<std::string, double> losses;  // by name: "output/pi", "hint/d"
};

/// A network behind an update, in the metric of its run.
struct EvaluationReport {
  std::int64_t step = 0;                  // the update
  double validation = 0;                  // the metric on the validation set
  std::optional<double> test = {};        // on the test set, where it is measured on the way
  std::map<std::string, double> scores;   // of single outputs
  std::map<std::string, double> figures;  // what else is told: "learning_rate"
  std::map<std::string, double> memory;   // its health, see memory_health.h; empty without one
  // Added by the trainer:
  std::optional<std::int64_t> epoch = {};  // that it ends, where the run is counted in epochs
  bool best = false;
  double seconds = 0;
};

}  // namespace npq::train
