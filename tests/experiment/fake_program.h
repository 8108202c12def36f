#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "npq/experiment/runner.h"
#include "tests/support/temporary_folder.h"

namespace npq::experiment {

/// A program that is called like npq and leaves what npq leaves, in a moment. Every call is written
/// down.
class FakeProgram {
 public:
  /// `before`: shell commands that come first; they may end it ($1 is train or evaluate).
  explicit FakeProgram(const std::string& before = "") {
    test::put_file(folder_ / "npq", R"(#!/bin/bash
echo "$*" >> ")" + calls_file() + R"("
command=$1
while [[ $# -gt 0 ]]; do
  case $1 in
    --out | --resume) run=$2 ;;
    --steps) steps=$2 ;;
    --sizes) sizes=$2 ;;
    evaluate) run=$2 ;;
  esac
  shift
done
)" + before + R"(
if [[ $command == evaluate ]]; then
  for size in ${sizes//,/ }; do
    all="$all${all:+, }{\"checkpoint\": \"best\", \"size\": $size}"
  done
  echo "{\"evaluations\": [$all]}"
else
  echo "{\"steps\": $steps}" > "$run/config.json"
  echo '{"step":4,"loss":1.5,"seconds":2.0}' > "$run/metrics.jsonl"
  echo "{\"steps\": $steps}" > "$run/result.json"
fi
)");
    std::filesystem::permissions(folder_ / "npq", std::filesystem::perms::owner_all);
  }

  std::string path() const { return (folder_ / "npq").string(); }
  std::string folder() const { return folder_.path().string(); }
  std::vector<std::string> calls() const {
    std::vector<std::string> lines;
    std::ifstream file(calls_file());
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  /// How many calls of a command there were.
  std::ptrdiff_t count(const std::string& command) const {
    const auto all = calls();
    return std::count_if(all.begin(), all.end(),
                         [&](const auto& call) { return call.starts_with(command); });
  }

 private:
  std::string calls_file() const { return (folder_ / "calls").string(); }
  test::TemporaryFolder folder_;
};

/// bfs and dfs, with and without a queue.
inline Plan small_plan(const PlanOptions& options = {}) {
  return make_plan(parse_experiment("small", R"({
    "title": "Small", "seeds": [1], "steps": 5, "sizes": [8, 4],
    "flags": {"hidden": 4},
    "runs": [{"algorithms": ["bfs", "dfs"], "processors": ["mpnn"],
              "methods": [{"name": "Baseline"}, {"name": "Oracle PQ", "flags": {"memory": "oracle"}}]}]
  })",
                                    "small.json"),
                   options);
}

}  // namespace npq::experiment
