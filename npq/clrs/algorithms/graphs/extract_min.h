#pragma once
#include <optional>

#include "npq/clrs/trace/arrays.h"

namespace npq::clrs {

/// EXTRACT-MIN: takes the queued node with the smallest key out of the queue; nothing once it is
/// empty.
inline std::optional<int> extract_min(const Scalars& key, Mask& in_queue) {
  std::optional<int> u;
  for (int v = 0; v < static_cast<int>(key.size()); ++v)
    if (in_queue[v] && (!u || key[v] < key[*u])) u = v;
  if (u) in_queue[*u] = 0;
  return u;
}

}  // namespace npq::clrs
