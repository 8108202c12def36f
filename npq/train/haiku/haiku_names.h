#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "npq/train/haiku/haiku_pickle.h"
#include "npq/train/options.h"

namespace npq::train {

/// What a user says about a checkpoint where its weights leave it open; empty: not said.
struct HaikuHints {
  std::string algorithm, processor, memory;
};

/// Options as far as the names and shapes of a checkpoint's arrays tell them.
struct HaikuGuess {
  TrainOptions options;
  /// What the weights leave open and was assumed, in sentences: mpnn and pgn have the same arrays.
  std::vector<std::string> assumed;
};
HaikuGuess options_of_haiku(const HaikuArrays& parameters, const HaikuHints& hints);

/// Where Haiku keeps one of our parameters.
struct HaikuName {
  std::string module, leaf;
};
/// "processor/m1.w" -> "net/mpnn_aggr_clrs_processor/linear", "w": Haiku numbers the layers of a
/// module in the order in which they are made.
HaikuName haiku_name(const std::string& parameter, const TrainOptions& options);
/// The name of the module that holds a memory, inside the processor's.
std::string haiku_memory_module(const memory::MemoryOptions& options);

}  // namespace npq::train
