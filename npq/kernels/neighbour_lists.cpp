#include "npq/kernels/neighbour_lists.h"

#include <cstring>

#include "npq/base/error.h"

namespace npq::kernels {
namespace {

bool all_zero(const std::uint8_t* bytes, int words) {
  std::uint64_t any = 0;
  for (int w = 0; w < words; ++w) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * w, sizeof word);
    any |= word;
  }
  return any == 0;
}

/// Calls found(j) for the entries of a row that are not zero; 64 zeros at a time are skipped,
/// then 8, since sparse graphs of many nodes have little else.
template <class Found>
void for_each_marked(const std::uint8_t* row, int nodes, const Found& found) {
  for (int j = 0; j < nodes;) {
    if (j + 64 <= nodes && j % 64 == 0 && all_zero(row + j, 8)) {
      j += 64;
    } else if (j + 8 <= nodes && all_zero(row + j, 1)) {
      j += 8;
    } else {
      for (const int last = j + 8 < nodes ? j + 8 : nodes; j < last; ++j) {
        if (row[j]) found(j);
      }
    }
  }
}

std::int32_t checked(std::int64_t edges) {
  if (edges > INT32_MAX)
    throw Error("a batch has {} adjacent pairs of nodes; at most {} fit, choose a smaller batch",
                edges, INT32_MAX);
  return static_cast<std::int32_t>(edges);
}

}  // namespace

NeighbourLists list_columns(const std::uint8_t* mask, int batch, int nodes) {
  NeighbourLists lists;
  lists.offsets.assign(static_cast<std::size_t>(batch) * nodes + 1, 0);
  const auto row = [&](int b, int s) {
    return mask + (static_cast<std::size_t>(b) * nodes + s) * nodes;
  };
  std::int64_t edges = 0;
  std::vector<std::int32_t> next(nodes);
  for (int b = 0; b < batch; ++b) {
    std::int32_t* counts = lists.offsets.data() + static_cast<std::size_t>(b) * nodes;
    std::fill(next.begin(), next.end(), 0);
    for (int s = 0; s < nodes; ++s) for_each_marked(row(b, s), nodes, [&](int r) { ++next[r]; });
    for (int r = 0; r < nodes; ++r) {
      counts[r] = checked(edges);
      edges += next[r];
      next[r] = counts[r];
    }
    lists.offsets[static_cast<std::size_t>(b + 1) * nodes] = checked(edges);
    lists.list.resize(static_cast<std::size_t>(edges));
    for (int s = 0; s < nodes; ++s)
      for_each_marked(row(b, s), nodes, [&](int r) { lists.list[next[r]++] = s; });
  }
  return lists;
}

NeighbourLists list_rows(const std::uint8_t* mask, int batch, int nodes) {
  NeighbourLists lists;
  lists.offsets.reserve(static_cast<std::size_t>(batch) * nodes + 1);
  lists.offsets.push_back(0);
  for (std::size_t row = 0; row < static_cast<std::size_t>(batch) * nodes; ++row) {
    for_each_marked(mask + row * nodes, nodes, [&](int j) { lists.list.push_back(j); });
    lists.offsets.push_back(checked(static_cast<std::int64_t>(lists.list.size())));
  }
  return lists;
}

}  // namespace npq::kernels
