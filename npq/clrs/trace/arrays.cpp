#include "npq/clrs/trace/arrays.h"

namespace npq::clrs {

Pointers chain(std::span<const int> order) {
  Pointers pred(order.size());
  if (!order.empty()) pred[order[0]] = order[0];
  for (std::size_t k = 1; k < order.size(); ++k) pred[order[k]] = order[k - 1];
  return pred;
}

Pointers constant_chain(int nodes) {
  Pointers pred(nodes);
  for (int i = 1; i < nodes; ++i) pred[i] = i - 1;
  return pred;
}

Pointers constant_chain(int first_length, int second_length) {
  Pointers pred = constant_chain(first_length + second_length);
  if (second_length > 0) pred[first_length] = first_length;
  return pred;
}

Scalars positions(int nodes) {
  Scalars pos(nodes);
  for (int i = 0; i < nodes; ++i) pos[i] = static_cast<double>(i) / nodes;
  return pos;
}

Scalars positions(int first_length, int second_length) {
  Scalars pos = positions(first_length);
  const Scalars second = positions(second_length);
  pos.insert(pos.end(), second.begin(), second.end());
  return pos;
}

EdgeMask adjacency(const EdgeScalars& A) {
  EdgeMask adj(A.nodes());
  for (int i = 0; i < A.nodes(); ++i)
    for (int j = 0; j < A.nodes(); ++j) adj(i, j) = A(i, j) != 0 || i == j;
  return adj;
}

}  // namespace npq::clrs
