#pragma once
#include <cstdint>

namespace npq::kernels {

/// Who hears whom, as lists: the cost of what follows grows with the edges, not with N * N. Node i
/// of graph b has the partners list[offsets[b * N + i]] .. list[offsets[b * N + i + 1]], ascending.
struct Neighbours {
  const std::int32_t* offsets = nullptr;  // [B * N + 1]
  const std::int32_t* list = nullptr;     // [E]
};

}  // namespace npq::kernels
