#pragma once
#include <cstdint>
#include <vector>

#include "npq/kernels/neighbours.h"

namespace npq::kernels {

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
