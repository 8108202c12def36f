#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "npq/base/files/run_kind.h"

namespace npq::report {

/// One number of a log: at which step, after how many seconds of work.
struct Point {
  std::int64_t step = 0;
  double seconds = 0;
  double value = 0;
};

/// The "size" of a test set that came with the data instead of being made of graphs of one size.
inline constexpr std::int64_t kOwnTestSet = 0;

/// What one model of the run is worth on one test set, in the metric of the run, with its 95%
/// interval over samples.
struct TestScore {
  std::string checkpoint;  // "best", "last" or "average"
  std::int64_t size = kOwnTestSet, samples = 0;
  double score = 0;
  std::optional<double> low, high;
  std::vector<double> sample_scores = {};  // one per sample; empty if they were not written
  std::map<std::string, std::vector<double>> ablated = {};  // the same without a part of the memory
};

/// Options that hold from a step on, where a resumed run was asked for others.
struct OptionChange {
  std::int64_t step = 0;
  std::map<std::string, std::string> now, before;
};

/// What a run folder says, checked: every number is finite, every text is UTF-8. Scores are in the
/// metric of the run.
struct Run {
  std::filesystem::path folder;
  /// config.json as text, option by option, and its part `about`: what ran it.
  std::map<std::string, std::string> options, about;
  std::vector<OptionChange> changes;  // in the order of their steps
  std::string algorithm, processor, memory;
  /// Of an experiment: "dijkstra/mpnn/NPQ_W/seed1", and the flags it was planned with.
  std::string key;
  std::map<std::string, std::string> flags;
  std::string why;  // it is in the experiment; may be empty
  std::optional<std::int64_t> seed;
  std::int64_t steps_asked = 0, steps_done = 0;
  std::int64_t epochs = 0;  // of a run that is counted in them
  std::string data;  // where its data are from: "generated", or the published files; else empty
  bool finished = false;  // has a result.json

  std::vector<Point> loss, validation;
  std::map<std::string, std::vector<Point>> health;  // of the memory: "alive", "drained", ...
  std::optional<Point> best;                         // the first of the best validations
  double seconds = 0;
  std::optional<std::int64_t> parameters;  // of the stored weights; nothing if there are none
  std::optional<std::int64_t> peak_bytes;  // of memory while training, where a worker saw it
  std::vector<TestScore> tests;            // from evaluation.json

  std::string microscope;  // its trace.html, where npq trace has put one

  std::vector<std::string> warnings;  // what could not be read, a sentence each

  /// What it is counted in and judged by, and how its files call that.
  const RunKind& kind() const { return run_kind(algorithm); }
  const Metric& metric() const { return kind().metric; }
  /// How far it has got, in steps or epochs.
  std::int64_t length() const { return kind().counts_steps() ? steps_done : epochs; }
  double steps_per_second() const { return seconds > 0 ? steps_done / seconds : 0; }
  std::optional<double> test(std::int64_t size, const std::string& checkpoint) const;
  /// The options that make it another run. Older runs do not name two others: the preset, which is
  /// in the options that it chose, and the usual decay of the mean, which changes no other model.
  std::map<std::string, std::string> choices() const;
  /// What the paper would call the model: the experiment's name for it, else that of its memory.
  std::string method() const;
  /// The command line that trains the same again, ready for a shell; a comment line for each
  /// change of options on the way.
  std::string command() const;
  /// The command line that tests it as it was tested; empty if it was not.
  std::string test_command() const;
};

/// Reads one run folder and trusts nothing in it. A config.json that cannot be used is an Error;
/// anything less is a warning of the run. An incomplete last line of the log is ignored: it may be
/// being written.
Run read_run(const std::filesystem::path& folder);

/// A value of a configuration as a flag takes it, for every key that has one.
std::map<std::string, std::string> option_texts(const nlohmann::json& object);
/// The members of `tests` or `evaluations` that are values of this metric.
std::vector<TestScore> test_scores(const nlohmann::json& list, const Metric& metric);

}  // namespace npq::report
