#pragma once
#include "npq/clrs/algorithms/graphs/depth_first.h"

namespace npq::clrs {

/// The linked list of finished nodes: each points to its successor, the last one to itself.
struct TopologicalOrder {
  explicit TopologicalOrder(int nodes) : topo(identity(nodes)) {}

  /// Puts the node that the search has just finished in front.
  void insert(const DepthFirst& search) {
    if (search.color[topo_head] == kBlack) topo[search.u] = static_cast<std::uint16_t>(topo_head);
    topo_head = search.u;
  }

  Pointers topo;
  int topo_head = 0;
};

/// TOPOLOGICAL-SORT from one root: CLRS, 3rd edition, section 22.4.
template <class Record>
void topological_visit(DepthFirst& search, TopologicalOrder& order, int root,
                       const Record& record) {
  search.start(root);
  record();
  do {
    if (search.undiscovered()) {
      search.discover();
      record();
    }
    if (search.find_white()) {
      search.push();
      record();
    } else {
      search.finish();
      order.insert(search);
      record();
    }
  } while (search.proceed());
}

}  // namespace npq::clrs
