#pragma once
#include <cstdint>

#include "npq/kernels/constants.h"
#include "npq/kernels/neighbours.h"

// Attention of nodes to nodes, as in graph attention networks (both versions), forward and
// backward.
namespace npq::kernels {

struct AttentionShape {
  int batch = 0, nodes = 0, hidden = 0, channels = 0;  // B, N, H, R
  int heads = 1;                                       // K, divides H
  int width = 1;  // D, numbers per head that a logit is made of: 1 (GAT) or H / K (GATv2)
};

template <class Number>
struct AttentionInputs {
  const Number* own;      // [B, N, K, D] of the node that attends
  const Number* other;    // [B, N, K, D] of the node attended to
  const Number* x;        // [B, N, N, R]
  const Number* c;        // [R, K, D]
  const Number* a;        // [K, D]; may be null for D = 1: then 1
  const Number* values;   // [B, N, H]
  Neighbours neighbours;  // by rows; null: everybody attends to everybody
};

/// Where gradients go; each is overwritten, and not computed if the pointer is null.
template <class Number>
struct AttentionGradients {
  Number *own, *other, *x, *c, *a, *values;
  const std::uint8_t* x_channels;  // [R]: of these channels alone, the others get 0; null: of all
};

/// Node i attends to nodes j of its list:
///   e[b,i,j,h] = sum_d a[h,d] leaky_relu(own[b,i,h,d] + other[b,j,h,d] + sum_r X[b,i,j,r]
///   C[r,h,d]) agg[b,i,h] = sum_j softmax_j(e[b,i,j,h]) values[b,j,h]               heads side by
///   side
/// leaky_relu has slope 0.01. Every node must attend to some node: an empty list is an Error.
/// `norms` [B, N, K, 2] keeps the largest logit and 1 / the sum of exponentials for the gradients.
/// Nothing larger than a node's list is stored. Contiguous arrays that do not overlap. The same
/// bits for any number of threads.
void attention_forward(const AttentionShape& shape, const AttentionInputs<float>& in, float* agg,
                       float* norms, int threads);
void attention_backward(const AttentionShape& shape, const AttentionInputs<float>& in,
                        const float* norms, const float* dagg,
                        const AttentionGradients<float>& gradients, int threads);

template <class Number>
void attention_forward_reference(const AttentionShape& shape, const AttentionInputs<Number>& in,
                                 Number* agg, Number* norms);
template <class Number>
void attention_backward_reference(const AttentionShape& shape, const AttentionInputs<Number>& in,
                                  const Number* norms, const Number* dagg,
                                  const AttentionGradients<Number>& gradients);

// Between the entry and the loops of one level. Plain data only: what an inline function that stood
// here would be compiled to depends on the file.

/// What nodes [first, last) of one graph attend to. Every head's values are padded to a row of V
/// numbers, and where D > 1 every head's logit numbers to D; what was added is 0.
struct AttentionTile {
  int nodes, channels, heads;
  int width;        // D: 1, or a multiple of the loops' width
  int value_width;  // V
  int first, last;
  const float *own, *other;            // [N, K, D]
  const float* x;                      // [N, N, R]
  const float* c;                      // [R, K, D]
  const float* a;                      // [K, D] or null
  const float* values;                 // [N, K, V]
  const std::int32_t *offsets, *list;  // of this graph; null: all nodes
  float* scratch;                      // [2, K, N + 16] and [K, D]
  float* agg;                          // [N, K, V], written for first..last
  float* norms;                        // [N, K, 2]

  const float* dagg;        // [N, K, V]
  float* down;              // [N, K, D], written for first..last
  float *dother, *dvalues;  // [N, K, D], [N, K, V], added to
  float* dx;                // [N, N, R], written for pairs that attend; or null
  const std::uint8_t* x_channels;
  float *dc, *da;  // [R, K, D], [K, D], added to
};

struct AttentionLoops {
  int width;
  void (*forward)(const AttentionTile& tile);
  void (*backward)(const AttentionTile& tile);
};

extern const AttentionLoops kAttentionAvx2, kAttentionAvx512;

/// The entry with the loops at hand; tests hand in others.
void attention_forward_with(const AttentionLoops& loops, const AttentionShape& shape,
                            const AttentionInputs<float>& in, float* agg, float* norms,
                            int threads);
void attention_backward_with(const AttentionLoops& loops, const AttentionShape& shape,
                             const AttentionInputs<float>& in, const float* norms,
                             const float* dagg, const AttentionGradients<float>& gradients,
                             int threads);

}  // namespace npq::kernels
