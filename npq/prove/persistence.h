#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "npq/prove/options.h"
#include "npq/prove/proof.h"

// Memory-persistence: what was written once stays, and stays within reach.
//   Step 0 writes with ordinary weights. Then come T steps in which no pop can succeed: pop
//   strengths are forced to 0 if the memory has them; all others go on with ordinary steps. All
//   inputs are fresh random numbers.
namespace npq::prove {

struct PersistencePoint {
  std::int64_t steps = 0;  // T
  /// Largest change of a number that the first write set, after T steps.
  double moved = 0;
  /// How much of the first write the best linear map recovers after T steps from the numbers at its
  /// place: R^2 on 512 random writes, the map fitted on 512 others. 1 if nothing has moved.
  double recovered = 0;
  /// || d(read at step T) / d(what was written at step 0) ||, relative to T = 1. A queue is asked
  /// for the first element by its content, and its read is the same at every T; the others have
  /// nothing to ask with.
  double gradient = 0;
  /// The same for a read with ordinary weights, which a queue spreads over all its T elements (or
  /// gives to one of them): how small the share becomes without learning to ask for it.
  double ordinary_gradient = 0;
};

struct PersistenceRow {
  std::string memory;
  std::vector<PersistencePoint> points;  // T = 1, 2, 4, ...

  /// Exact storage, and a gradient that time does not wear down to less than half.
  bool holds() const;
};

struct PersistenceSizes {
  std::int64_t longest = 256;  // T goes up to this
  std::int64_t trials = 4;     // of the gradient, averaged
  std::int64_t writes = 512;   // to fit the map, and as many to test it
};

/// Of a memory without state nothing is recovered and no gradient comes from an earlier step: all 0.
PersistenceRow persistence_of(const std::string& name, const PersistenceSizes& sizes = {});

std::vector<PersistenceRow> prove_persistence(const std::vector<std::string>& memories, int threads,
                                              const ProofProgress& progress);

}  // namespace npq::prove
