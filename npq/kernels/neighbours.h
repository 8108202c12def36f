#pragma once
#include <cstdint>
#include <vector>

namespace npq::kernels {

/// Who hears whom, as lists: the cost of what follows grows with the edges, not with N * N. Node i
/// of graph b has the partners list[offsets[b * N + i]] .. list[offsets[b * N + i + 1]], ascending.
struct Neighbours {
  const std::int32_t* offsets = nullptr;  // [B * N + 1]
  const std::int32_t* list = nullptr;     // [E]
};

struct NeighbourLists {
  std::vector<std::int32_t> offsets, list;
  Neighbours view() const { return {offsets.data(), list.data()}; }
};

/// From mask [B, N, N], not zero where adjacent. By columns: node i's partners are the rows s with
/// mask[b,s,i], as messages from s to i need them; by rows: the j with mask[b,i,j], as attention of
/// i to j needs them.
NeighbourLists list_columns(const std::uint8_t* mask, int batch, int nodes);
NeighbourLists list_rows(const std::uint8_t* mask, int batch, int nodes);

}  // namespace npq::kernels
