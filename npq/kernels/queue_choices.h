#pragma once
#include <cstdint>

// The choices of the neural priority queue that change what a step computes, each named once. Which
// of them make a variant of the paper, and where the published code does otherwise, is said in
// memory::PriorityQueueOptions.
namespace npq::kernels {

struct QueueChoices {
  enum class Read : std::uint8_t { Max, Weighted };  // the best slot alone, or all by attention
  enum class Reader : std::uint8_t { Node, Graph };  // each node for itself, or one read for all
  enum class Pop : std::uint8_t { Keep, Consume };   // Keep: no strengths, nothing is taken out
  enum class Grant : std::uint8_t { Piecewise, Epsilon };  // Epsilon: requests shrink a little
  enum class SlotWrite : std::uint8_t { Overwrite, Add };  // Add: a reused slot keeps its vector
  enum class FullQueue : std::uint8_t { Weakest, Oldest, Add };  // where a full queue writes
  enum class WriteSlot : std::uint8_t { AfterDeletion, PreviousStep, Rotate };  // when it is chosen
};

}  // namespace npq::kernels
