#pragma once
#include <cstdint>
#include <vector>

#include "npq/ops/stream.h"
#include "npq/prove/reduction.h"

// Random sequences of operations, and the results of the standard containers.
namespace npq::prove {

inline constexpr int kMostOperations = 64, kOperationNodes = 4;

struct Operation {
  enum class Kind { Nothing, Push, Pop };
  Kind kind = Kind::Nothing;
  int node = 0;  // that pushes or receives
  int key = 0;   // of a push, 0 to 63, no two alike in a sequence
};

/// Identities are 1, 2, ... in the order of the pushes; 0 means no element.
struct Played {
  std::vector<Operation> operations;         // 1 to 64
  std::vector<int> received;                 // per operation: what was popped, 0 for nothing
  std::vector<std::vector<bool>> contained;  // per operation, by identity: who is in afterwards
};

Played play(Structure structure, ops::Stream& random);

}  // namespace npq::prove
