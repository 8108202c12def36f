#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "npq/base/files/event_file.h"
#include "npq/base/files/line_log.h"
#include "npq/base/files/run_folder.h"
#include "npq/base/files/run_kind.h"
#include "npq/train/loop/reports.h"

namespace npq::train {

/// What a run tells while it goes on: metrics.jsonl, the same numbers for TensorBoard, and at the
/// end metrics.csv.
class RunLog {
 public:
  /// Opens or begins the logs of a run folder; torn ends are cut.
  explicit RunLog(const RunPaths& paths);

  void append(const StepReport& report, double seconds);
  void append(const EvaluationReport& report, const RunKind& kind);
  /// Forgets what lies beyond a step: what a killed process logged after it saved its state.
  void cut_beyond_step(std::int64_t step);
  /// Returns once all is on the disk; to be called before a state that counts on it is saved.
  void sync();
  void write_csv() const;

 private:
  /// A JSON object with "step". All its numbers but "seconds" are drawn, those of inner objects
  /// under joined names.
  void append(const nlohmann::json& line);

  RunPaths paths_;
  LineLog metrics_;
  EventFile events_;
};

}  // namespace npq::train
