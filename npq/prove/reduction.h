#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "npq/prove/options.h"
#include "npq/prove/proof.h"

// Reducibility to priority queues.                                             [NPQ, eq. 99-116]
//   Weights chosen by hand make the neural queue a std::priority_queue: one head that reads the key
//   out of an element and nothing else, strengths of exactly 0 and 1, messages that tell the
//   element's identity. With the time as key it is a std::stack, with the time backwards a
//   std::queue. In float32, over random sequences of 1 to 64 operations.
namespace npq::prove {

enum class Structure { PriorityQueue, Stack, Queue };
std::string_view structure_name(Structure structure);

struct ReductionCheck {
  Structure structure = Structure::PriorityQueue;
  std::int64_t sequences = 0;
  std::int64_t operations = 0;  // compared after each
  std::int64_t mismatches = 0;  // sequences that differ anywhere
};

struct ReductionRow {
  std::string memory;
  std::vector<ReductionCheck> checks;  // one per structure

  bool holds() const;
};

/// Whether the paper claims it: of NPQ_M.
bool reduction_is_claimed(std::string_view memory);

/// `sequences` random sequences, those from number `first` on. After every operation three things
/// are compared: what each node received, which elements are in the queue, and that every strength
/// is 0 or 1.
ReductionCheck reduce_to(Structure structure, const std::string& memory, std::int64_t first,
                         std::int64_t sequences);

/// Of the queues among `memories`; the paper claims it for NPQ_M, whose `sequences` are all played,
/// the others' figures come from 200.
std::vector<ReductionRow> prove_reduction(const std::vector<std::string>& memories,
                                          std::int64_t sequences, int threads,
                                          const ProofProgress& progress);

}  // namespace npq::prove
