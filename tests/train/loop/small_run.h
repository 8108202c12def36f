#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "npq/base/files/line_log.h"
#include "npq/memory/catalog.h"
#include "npq/train/loop/runs.h"
#include "tests/support/temporary_folder.h"

// Small runs in a temporary folder.
namespace npq::train {

/// Every consumer of randomness at work, and a queue.
inline TrainOptions small_run(std::int64_t steps = 12) {
  TrainOptions options;
  options.algorithm = "dijkstra";
  options.model.hidden = 8;
  options.model.dropout = 0.2;
  options.model.teacher_forcing = 0.5;
  options.memory = memory::memory_options("npq_w");
  options.batch = 2;
  options.steps = steps;
  options.evaluate_every = 5;
  options.train_sizes = {4, 6};
  options.random_positions = true;
  return options;
}

class Run : public ::testing::Test {
 protected:
  std::filesystem::path run(const std::string& name = "run") const { return folder_ / name; }
  std::string content(const std::string& name, const std::string& file) const {
    return test::file_content(folder_ / name / file);
  }
  void train(const std::string& name, const TrainOptions& options) const {
    start_run(run(name), options, nlohmann::json::object())->run({});
  }
  /// Stops after the update number `last`.
  void train_until(const std::string& name, const TrainOptions& options, std::int64_t last) const {
    const auto trainer = start_run(run(name), options, nlohmann::json::object());
    EXPECT_EQ(trainer->run({.stop = [&] { return trainer->next_step() > last; }}), Ending::Stopped);
  }
  std::vector<nlohmann::json> metrics(const std::string& name = "run") const {
    std::vector<nlohmann::json> lines;
    for (const auto& line : read_lines(RunPaths{run(name)}.metrics()))
      lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  test::TemporaryFolder folder_;
};

}  // namespace npq::train
