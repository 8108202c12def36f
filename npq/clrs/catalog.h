#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "npq/clrs/samplers/samplers.h"
#include "npq/clrs/trace/trace.h"

namespace npq::clrs {

enum class Family {
  Sorting,
  Searching,
  DivideAndConquer,
  Greedy,
  DynamicProgramming,
  Graphs,
  Strings,
  Geometry,
  DataStructures  // ours: not in averages
};
std::string_view name_of(Family family);

/// One row of the table: everything the rest of the house knows about an algorithm.
struct Algorithm {
  std::string_view name;
  Family family;
  int minimum_length;       // the smallest sampler length that makes sense
  int multiplier;           // official validation and test splits have 32 times this many samples
  double edge_probability;  // default p of its sampler; 0: not a graph algorithm
  Spec spec_v1, spec_head;
  SampleFunction sample;
  void (*run)(const Inputs&, Trace&);

  const Spec& spec(Generator generator = Generator::V1) const {
    return generator == Generator::V1 ? spec_v1 : spec_head;
  }
  /// Nodes that a sampler length gives: one more for optimal_bst, always 4 for segments_intersect.
  int nodes(int length) const;
};

/// The 30 algorithms of CLRS-30, family by family.
std::span<const Algorithm> catalog();

/// Tasks that are nothing but a data structure: priority_queue, stack, queue.
std::span<const Algorithm> structure_tasks();

/// By name, of both tables; an unknown one is a UsageError with the nearest known name.
const Algorithm& find_algorithm(std::string_view name);

}  // namespace npq::clrs
