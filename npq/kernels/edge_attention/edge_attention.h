#pragma once
#include <cstdint>
#include <vector>

// Attention of nodes to the nodes whose edges reach them, in large sparse graphs, forward and
// backward: the second version's (GATv2) with one head.
namespace npq::kernels {

/// Who hears whom, seen from both ends. Edges have numbers: those that reach node i are begin[i] to
/// begin[i + 1].
struct EdgeLists {
  std::vector<std::int64_t> begin;                   // [n + 1]
  std::vector<std::int32_t> sender;                  // [m] of each edge
  std::vector<std::int64_t> out_begin;               // [n + 1], the same from the senders
  std::vector<std::int32_t> out_receiver, out_edge;  // [m] whom it reaches, the edge's number

  std::int64_t nodes() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  std::int64_t edges() const { return static_cast<std::int64_t>(sender.size()); }
};

/// Of edges in any order.
EdgeLists list_edges(std::int64_t nodes, const std::vector<std::int64_t>& sender,
                     const std::vector<std::int64_t>& receiver);

template <class Number>
struct EdgeAttentionInputs {
  const EdgeLists& edges;  // every node is reached
  std::int64_t width;      // D
  const Number* left;      // [n, D]
  const Number* right;     // [n, D]
  const Number* att;       // [D]
};

/// Each is overwritten.
template <class Number>
struct EdgeAttentionGradients {
  Number *left, *right, *att;
};

///   s[e]   = att . leaky_relu(left[j] + right[i])        e the edge from j to i, slope 0.2
///   w[e]   = softmax of s over the edges that reach i
///   out[i] = sum_e w[e] left[j]
/// weights [m] keeps w for the gradients; nothing else has a number per edge, and no row. Arrays do
/// not overlap. The same code at every level; the same bits for any number of threads.
template <class Number>
void edge_attention_forward(const EdgeAttentionInputs<Number>& in, Number* weights, Number* out,
                            int threads);
/// Overwrites dscore [m], which it needs on the way.
template <class Number>
void edge_attention_backward(const EdgeAttentionInputs<Number>& in, const Number* weights,
                             const Number* dout, Number* dscore,
                             const EdgeAttentionGradients<Number>& gradients, int threads);

}  // namespace npq::kernels
