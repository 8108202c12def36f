#pragma once
#include <chrono>
#include <map>
#include <string>

#include "npq/experiment/runner.h"

namespace npq::app {

/// Shows a running experiment on standard error: on a terminal one line per worker and one for the
/// whole, redrawn in place; otherwise a line for every event and now and then one for the whole.
class ExperimentDisplay {
 public:
  ExperimentDisplay(std::filesystem::path out, double expected_seconds, bool quiet);
  ~ExperimentDisplay();

  void event(const experiment::Event& event);
  void tick(const experiment::Snapshot& snapshot);

 private:
  std::string worker_line(const experiment::Snapshot::Active& active, std::size_t width) const;
  std::string total_line(const experiment::Snapshot& snapshot) const;
  void clear();

  std::filesystem::path out_;
  double expected_;
  bool quiet_, terminal_;
  int drawn_ = 0;  // lines on the screen
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace npq::app
