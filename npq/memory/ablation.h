#pragma once
#include <string_view>

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

}  // namespace npq::memory
