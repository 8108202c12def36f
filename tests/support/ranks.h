#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/killable.h"

// npq as several processes.
namespace npq::test {

/// A training that has two parts to share out, and takes a while.
inline std::vector<std::string> shared_training(std::vector<std::string> more,
                                                const std::string& steps = "40") {
  std::vector<std::string> words = {
      "train", "--algorithm", "bfs", "--memory",  "npq_w", "--train-sizes",
      "4",     "--batch",     "32",  "--hidden",  "8",     "--evaluate-every",
      "20",    "--steps",     steps, "--threads", "1",     "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// One of several ranks in the environment that torchrun makes.
inline std::unique_ptr<Process> torchrun_rank(const std::vector<std::string>& variables,
                                              const std::vector<std::string>& words) {
  std::vector<std::string> args = variables;
  args.push_back(npq_program());
  args.insert(args.end(), words.begin(), words.end());
  return std::make_unique<Process>("/usr/bin/env", args);
}

/// The processes that a process has started, in that order.
inline std::vector<pid_t> children_of(pid_t parent) {
  const auto id = std::to_string(parent);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  std::vector<pid_t> children;
  for (pid_t child; file >> child;) children.push_back(child);
  return children;
}

}  // namespace npq::test
