#pragma once
#include <cstdint>
#include <string>

#include "npq/base/error.h"
#include "npq/nn/processors/catalog.h"

namespace npq::nn {

/// The processor by its catalog name, and the sizes that the name leaves open. Free of torch.
struct ProcessorOptions {
  std::string name = "mpnn";
  std::int64_t heads = 1;        // of attention; gat and gatv2 only
  std::int64_t triplet_fts = 8;  // features of a triple of nodes; triplet_* only
  bool layer_norm = true;        // normalise the new hidden state

  const ProcessorKind& kind() const { return find_processor(name); }

  /// Throws a UsageError that names the option, what it holds and what it may hold.
  void validate(std::int64_t hidden) const {
    const auto& family = kind().family;
    if (heads < 1) throw UsageError("--heads is {}; expected at least 1", heads);
    if (family != ProcessorFamily::Pgn && hidden % heads != 0) {
      throw UsageError(
          "{} attention heads cannot share a hidden size of {}; choose a number that divides it",
          heads, hidden);
    }
    if (triplet_fts < 1)
      throw UsageError("--triplet-features is {}; expected at least 1", triplet_fts);
  }
};

}  // namespace npq::nn
