#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "npq/base/files/run_kind.h"

// An experiment is data: which models are trained on which algorithms, how often, for how long.
namespace npq::experiment {

/// Test graphs of more nodes than that would take days, or all memory.
inline constexpr int kLargestSize = 4096;

/// Options of `npq train` by name, without dashes. "true" stands for a flag without a value.
using Flags = std::map<std::string, std::string>;

struct Method {
  std::string name;  // as the paper writes it: "NPQ_M-P-SA"
  Flags flags;       // "memory": "npq_m_p_sa"
};

/// Every algorithm with every processor and every method.
struct Block {
  std::vector<std::string> algorithms, processors;
  std::vector<Method> methods;
};

struct Experiment {
  std::string name;   // "dijkstra"
  std::string title;  // one line
  std::string about;  // what it is to show
  std::vector<std::uint64_t> seeds;
  std::int64_t steps = 0;  // updates of each run; epochs of runs on peptides
  std::vector<int> sizes;  // of the test sets; none of peptides, which are tested while they train
  Flags flags;             // of all runs
  std::vector<Block> blocks;
};

/// The experiment in a JSON text; docs/experiments.md describes the format. An Error names `source`
/// and what is wrong with it.
Experiment parse_experiment(const std::string& name, const std::string& text,
                            const std::string& source);

/// "preset=reference,hidden=32" as flags; a UsageError if it is something else, or a flag that a
/// plan sets itself.
Flags parse_flags(const std::string& text);

}  // namespace npq::experiment
