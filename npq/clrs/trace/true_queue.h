#pragma once
#include <string_view>
#include <vector>

#include "npq/clrs/trace/sample.h"

namespace npq::clrs {

/// What the queue of an algorithm holds at each record of its trace.
struct TrueQueue {
  std::vector<std::vector<int>> order;    // by record: the nodes inside, the next to leave first
  std::vector<std::vector<int>> entered;  // by record: nodes that came in, or whose key changed
  std::string_view key;  // the hint or input that orders it; empty: the order of coming in
  std::vector<std::vector<double>> keys;  // by record: of the nodes in `order`; none without `key`
};

/// Whether an algorithm works through a queue that its hints show: dijkstra, mst_prim, and the
/// tasks that are nothing but a data structure.
bool has_true_queue(std::string_view algorithm);

/// Equal keys: the lower node first, as the algorithms choose.
TrueQueue true_queue(std::string_view algorithm, const Sample& sample);

/// How well attention to the slots of a memory follows the true queue, at one moment.
struct QueueView {
  std::vector<double> attention;  // by slot, summed over nodes
  std::vector<int> written;       // by slot: the record whose element it holds; -1: empty
};
struct Agreement {
  bool comparable = false;  // the next node to leave has a slot, and there is another slot
  bool top = false;         // the slot with most attention holds it
  double correlation = 0;   // rank correlation of attention with the order of leaving
  bool correlated = false;  // at least two slots with different places in the order
};
/// A slot stands for the nodes that entered at the record it was written at and are still inside; a
/// node that entered several times belongs to the newest of its slots.
Agreement agreement(const TrueQueue& queue, int record, const QueueView& view);

}  // namespace npq::clrs
