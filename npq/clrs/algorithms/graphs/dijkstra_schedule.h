#pragma once
#include <vector>

#include "npq/clrs/trace/arrays.h"

namespace npq::clrs {

/// What Dijkstra's priority queue does on a graph, step by step: the oracle memory replays it. Step
/// k of a trace takes order[k] out of the queue, between hints k and k + 1.
struct OracleSchedule {
  std::vector<int> order;  // n entries, -1 once the queue is empty
  EdgeMask children;       // (u, v) = 1: taking u put v into the queue or lowered its key
};

OracleSchedule oracle_schedule(const EdgeScalars& A, int s);

}  // namespace npq::clrs
