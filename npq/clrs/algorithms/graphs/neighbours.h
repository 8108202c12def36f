#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "npq/clrs/trace/arrays.h"

namespace npq::clrs {

/// The adjacency lists of the book: for each node the others it has an edge to (itself too if it
/// has a self-loop), in increasing order, end to end in one array.
class Neighbours {
 public:
  explicit Neighbours(const EdgeScalars& A) {
    const int n = A.nodes();
    begins_.reserve(n + 1);
    for (int u = 0; u < n; ++u) {
      begins_.push_back(nodes_.size());
      for (int v = 0; v < n; ++v)
        if (A(u, v) != 0) nodes_.push_back(static_cast<std::uint16_t>(v));
    }
    begins_.push_back(nodes_.size());
  }

  std::span<const std::uint16_t> of(int u) const {
    return {nodes_.data() + begins_[u], begins_[u + 1] - begins_[u]};
  }

 private:
  std::vector<std::size_t> begins_;
  Pointers nodes_;
};

}  // namespace npq::clrs
