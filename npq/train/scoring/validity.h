#pragma once
#include <string_view>
#include <vector>

#include "npq/clrs/trace/arrays.h"

// Several trees may be shortest, and only one of them is recorded. These functions accept them all.
namespace npq::train {

/// dijkstra, bellman_ford, dag_shortest_paths and bfs: an answer there is a parent per node, and
/// may be correct without being the recorded one.
bool has_many_answers(std::string_view algorithm);

/// Lengths of shortest paths from s, infinite where there is none: our own computation, from the
/// definition. Edges are the entries of A that are not 0; no cycle may be negative.
std::vector<double> distances(const clrs::EdgeScalars& A, int s);

/// Per node, 1 if `parent` is a correct answer: the source and nodes without a path point to
/// themselves; any other node i has an edge from its parent p and d(p) + A(p,i) = d(i), within 1e-9
/// of the largest of the three. For bfs every edge counts 1.
std::vector<int> valid_parents(std::string_view algorithm, const clrs::EdgeScalars& A, int s,
                               const std::vector<double>& parent);

}  // namespace npq::train
