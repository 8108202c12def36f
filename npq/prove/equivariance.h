#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "npq/model/memory.h"
#include "npq/prove/options.h"
#include "npq/prove/proof.h"

// Permutation-equivariance: permuting the nodes permutes the answers.             [NPQ, eq. 31-86]
//   Every memory with every processor, in float64: a few steps on a random graph, and the same on
//   the graph with its nodes in another order.
namespace npq::prove {

inline constexpr double kEquivarianceTolerance = 1e-10;

struct EquivarianceCell {
  std::string processor;
  double difference = 0;   // the largest, relative to the largest number; over all sizes
  std::int64_t nodes = 0;  // where it is
};

struct EquivarianceRow {
  std::string memory;
  std::vector<EquivarianceCell> cells;  // one per processor

  const EquivarianceCell& worst() const;
  bool holds() const { return worst().difference <= kEquivarianceTolerance; }
};

/// The sizes tried: 2, 3, ... 64.
std::vector<std::int64_t> equivariance_sizes();

/// Largest difference of messages and hidden states, over the steps of one graph.
double equivariance_error(const model::JoinedMemory& memory, const std::string& processor,
                          std::int64_t nodes, std::uint64_t seed);

/// The width of the hidden states in that comparison: a memory takes twice as many numbers per node
/// and returns as many.
inline constexpr std::int64_t kEquivarianceHidden = 8;

std::vector<EquivarianceRow> prove_equivariance(const std::vector<std::string>& memories,
                                                int threads, const ProofProgress& progress);

}  // namespace npq::prove
