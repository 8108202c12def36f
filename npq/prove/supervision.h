#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "npq/prove/options.h"
#include "npq/prove/proof.h"

// No intermediate supervision: the memory learns from the answer alone.
//   Dijkstra with 16 nodes, hint mode none: no hint is shown, none is asked for. Gradients must
//   reach the memory and the loss must fall.
namespace npq::prove {

/// The mean loss of the last ten steps must be below this share of the first ten's.
inline constexpr double kLossShare = 0.8;

struct SupervisionRun {
  std::uint64_t seed = 0;
  std::vector<double> losses;               // one per step
  std::map<std::string, double> gradients;  // of each memory parameter: its norm, mean over steps

  double first() const;  // mean loss of the first ten steps
  double last() const;   // and of the last ten
  bool learns() const { return last() < kLossShare * first(); }
};

struct SupervisionRow {
  std::string memory;
  std::vector<SupervisionRun> runs;  // one per seed

  /// Parameters whose gradient was exactly 0 at every step of some seed. In a queue these are
  /// its attention's: max popping passes it no gradient, and while pops drain the queue at every
  /// step there is only one element to choose.
  std::vector<std::string> unreached() const;
  /// Learns with every seed, and its writes and messages get gradients.
  bool holds() const;
};

SupervisionRun train_without_hints(const std::string& memory, std::uint64_t seed,
                                   const ProveOptions& options);

std::vector<SupervisionRow> prove_supervision(const std::vector<std::string>& memories,
                                              const ProveOptions& options, int threads,
                                              const ProofProgress& progress);

}  // namespace npq::prove
