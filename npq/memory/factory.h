#pragma once
#include <memory>

#include "npq/memory/catalog.h"
#include "npq/memory/memory.h"

namespace npq::memory {

/// The memory that `options` describe, for z of width Z and messages of width Mw; null
/// for "none".
std::unique_ptr<Memory> make_memory(const MemoryOptions& options, std::int64_t z_width,
                                    std::int64_t message_width);

/// `options` with the width F whose parameter count comes closest to that of `target`, the smaller
/// F on a tie: `--match-parameters npq_w`.
MemoryOptions match_parameters(const MemoryOptions& options, const MemoryOptions& target,
                               std::int64_t z_width, std::int64_t message_width);

}  // namespace npq::memory
