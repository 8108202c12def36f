#pragma once
#include <string>
#include <string_view>

// Runs learn different things. All of them are run folders with the same files; what differs in
// these, and in how a run is judged, is said here for those who write and those who read them.
namespace npq {

/// What a run is judged by, on samples that it does not learn from.
struct Metric {
  enum class Better { More, Less };

  std::string_view name;  // "score", "error"
  Better better = Better::More;
  bool is_share = false;  // 0 to 1, shown in percent; else any number

  bool less_is_better() const { return better == Better::Less; }
  bool is_better(double value, double than) const {
    return less_is_better() ? value < than : value > than;
  }
  /// Whether it can be such a number at all.
  bool holds(double value) const { return !is_share || (value >= 0 && value <= 1); }
};

struct RunKind {
  std::string_view command;  // the words behind `npq` that train it
  std::string_view unit;     // what its length is counted in: "step" or "epoch"
  Metric metric;

  // Keys of its files.
  std::string_view validation;  // metrics.jsonl: the metric on the validation set
  std::string_view test;        // there and in result.json: on the test set, where a run measures
                                // that on its way; else empty
  std::string_view best;        // result.json: the best validation
  std::string_view best_in_state;  // state.safetensors: the same

  /// The option and the key of its length: "steps", "epochs".
  std::string length() const { return std::string(unit) + "s"; }
  /// The key of where the best validation was: "best_step", "best_epoch".
  std::string best_at() const { return "best_" + std::string(unit); }
  bool counts_steps() const { return unit == "step"; }
};

inline constexpr RunKind kAlgorithmRun{.command = "train",
                                       .unit = "step",
                                       .metric = {"score", Metric::Better::More, /*is_share=*/true},
                                       .validation = "val",
                                       .test = "",
                                       .best = "best_val",
                                       .best_in_state = "best_score"};
inline constexpr RunKind kPeptidesRun{.command = "peptides train",
                                      .unit = "epoch",
                                      .metric = {"error", Metric::Better::Less, /*is_share=*/false},
                                      .validation = "val_mae",
                                      .test = "test_mae",
                                      .best = "val_mae",
                                      .best_in_state = "best_val"};

/// The share of its past that the mean of a run's weights keeps at each update, if nothing else is
/// asked for.
inline constexpr double kAverageDecay = 0.995;

/// What runs on peptides have for the name of an algorithm in config.json.
inline constexpr std::string_view kPeptides = "peptides";

/// The kind of a run, by the algorithm that its config.json names.
constexpr const RunKind& run_kind(std::string_view algorithm) {
  return algorithm == kPeptides ? kPeptidesRun : kAlgorithmRun;
}

}  // namespace npq
