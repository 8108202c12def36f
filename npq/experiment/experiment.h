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
  std::string why;   // the question that it is there to answer; may be empty
};

/// On what a trained run is tested.
struct Tests {
  std::vector<int> sizes;               // none of peptides, which are tested while they train
  std::map<int, std::int64_t> samples;  // of a size; others: as many as the official sets have
  std::vector<std::string> ablate;      // also without these parts of the memory, if it has one
};

/// Every algorithm with every processor and every method.
struct Block {
  std::vector<std::string> algorithms, processors;
  std::vector<Method> methods;
  Tests tests;  // the experiment's, if it has none of its own
};

struct Experiment {
  std::string name;   // "dijkstra"
  std::string title;  // one line
  std::string about;  // what it is to show
  std::vector<std::uint64_t> seeds;
  std::int64_t steps = 0;  // updates of each run; epochs of runs on peptides
  Tests tests;
  Flags flags;  // of all runs
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
