#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace npq::memory {

/// What is taken from a trained memory, to see what it is worth to its network.
enum class Ablation {
  None,
  Zero,     // every message is f_M(0), the bias alone
  Freeze,   // every later step reads the state that step 0 left
  Shuffle,  // a graph reads the memory of the next graph of the batch and writes into its own
  Empty,    // emptied before every read
};

/// In the order of the enum.
inline constexpr std::string_view kAblations[] = {"none", "zero", "freeze", "shuffle", "empty"};

/// "zero,empty" in that order, each once. The whole memory is always tested: "none" adds nothing.
std::vector<Ablation> ablations_in(const std::string& list);

}  // namespace npq::memory
