#pragma once
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace npq::report {

/// A run folder as npq train leaves it, with numbers chosen by the test.
struct MadeUpRun {
  std::string memory = "none";
  int seed = 1;
  std::string metrics;          // content of metrics.jsonl
  std::string result = "";      // content of result.json; empty: not finished
  std::string evaluation = "";  // content of evaluation.json; empty: none
  int steps = 20;
  std::string more = "";  // further options of config.json: ",\"clip\": 1.0"

  void write(const std::filesystem::path& folder) const {
    std::filesystem::create_directories(folder);
    test::put_file(
        folder / "config.json",
        fmt::format(R"({{"algorithm": "dijkstra", "processor": "mpnn", "memory": "{}", "seed": {},)"
                    R"( "steps": {}, "hidden": 128, "batch": 32, "layer-norm": true,)"
                    R"( "about": {{"commit": "abc123", "threads": 2}}{}}})",
                    memory, seed, steps, more));
    test::put_file(folder / "metrics.jsonl", metrics);
    if (!result.empty()) test::put_file(folder / "result.json", result);
    if (!evaluation.empty()) test::put_file(folder / "evaluation.json", evaluation);
  }
};

/// A log with validations `first` at step 0 and `second` at step 10.
inline std::string log_of(double first, double second) {
  return fmt::format(
      "{{\"step\":0,\"loss\":4.0,\"seconds\":0.5}}\n{{\"step\":0,\"val\":{},\"seconds\":1.0}}\n"
      "{{\"step\":10,\"loss\":2.0,\"seconds\":3.0}}\n{{\"step\":10,\"val\":{},\"seconds\":4.0}}\n",
      first, second);
}

}  // namespace npq::report
