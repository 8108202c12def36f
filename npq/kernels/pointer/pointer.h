#pragma once
#include <cstddef>
#include <cstdint>

// The decoders of pointers: where every node, or every edge, points to. Forward and backward.
namespace npq::kernels {

struct PointerShape {
  int batch = 0, nodes = 0, hidden = 0, channels = 0;  // B, N, H, R
  enum class Of { Nodes, Edges };                      // who points
  Of of = Of::Nodes;
};

/// Both compare nodes with ordered pairs of nodes: a row i and a column j.
template <class Number>
struct PointerInputs {
  const Number* node;    // [B, N, H] what pairs are compared with
  const Number* row;     // [B, N, H] of a pair's row
  const Number* column;  // [B, N, H] of a pair's column; null for Of::Nodes
  const Number* x;       // [B, N, N, R]
  const Number* c;       // [R, H]
  const Number* dense;   // [B, N, N, H] more of the pairs, or null
  const Number* d;       // [H]
  const Number* bias;    // [1]
};

/// Where gradients go; each is overwritten, and not computed if the pointer is null.
template <class Number>
struct PointerGradients {
  Number *node, *row, *column, *x, *c, *dense, *d, *bias;
  const std::uint8_t* x_channels;  // [R]: of these channels alone, the others get 0; null: of all
};

///   q[b,i,j] = row[b,i] + column[b,j] + sum_k X[b,i,j,k] C[k] + dense[b,i,j]
/// Node i points to j, edge (i,j) to k:
///   Of::Nodes  logits[b,i,j]   = sum_h d[h] max(node[b,i,h], q[b,j,i,h]) + bias       note q[j,i]
///   Of::Edges  logits[b,i,j,k] = sum_h d[h] max(node[b,k,h], q[b,i,j,h]) + bias
/// Elementwise over H: nothing but the logits is stored. Contiguous arrays that do not overlap. The
/// same bits for any number of threads.
void pointer_forward(const PointerShape& shape, const PointerInputs<float>& in, float* logits,
                     int threads);
/// Computes the maxima again. Where both sides of a maximum are equal, each gets half.
void pointer_backward(const PointerShape& shape, const PointerInputs<float>& in,
                      const float* dlogits, const PointerGradients<float>& gradients, int threads);

template <class Number>
void pointer_forward_reference(const PointerShape& shape, const PointerInputs<Number>& in,
                               Number* logits);
template <class Number>
void pointer_backward_reference(const PointerShape& shape, const PointerInputs<Number>& in,
                                const Number* dlogits, const PointerGradients<Number>& gradients);

// Between the entry and the loops of one level. Plain data only: what an inline function that stood
// here would be compiled to depends on the file.

/// The pairs of rows [first, last) of one graph. P is H rounded up to the loops' width; what was
/// added is 0. `dense` keeps rows of P too. L is N for Of::Nodes, N * N for Of::Edges.
struct PointerTile {
  int nodes, padded, channels;  // N, P, R
  int first, last;
  const float *node, *row;  // [N, P]
  const float* column;      // [N, P]; null: nodes point
  const float* x;           // [N, N, R]
  const float* c;           // [R, P]
  const float* dense;       // [N, N, P] or null
  const float* d;           // [P]
  const float* start;       // [N]: the bias, or NaN where `node` has one
  float* scratch;           // [max(N, 2), P]
  float* logits;            // [N, L]

  const float* dlogits;    // [N, L]
  float *dnode, *dcolumn;  // [N, P], added to
  float* drow;             // [N, P], written for first..last
  float* dx;               // [N, N, R], written; or null
  const std::uint8_t* x_channels;
  float* ddense;           // [N, N, P], written; or null
  float *dc, *dd, *dbias;  // [R, P], [P], [1], added to
};

struct PointerLoops {
  int width;
  void (*forward)(const PointerTile& tile);
  void (*backward)(const PointerTile& tile);
};

extern const PointerLoops kPointerAvx2, kPointerAvx512;

/// The entry with the loops at hand; tests hand in others.
void pointer_forward_with(const PointerLoops& loops, const PointerShape& shape,
                          const PointerInputs<float>& in, float* logits, int threads);
void pointer_backward_with(const PointerLoops& loops, const PointerShape& shape,
                           const PointerInputs<float>& in, const float* dlogits,
                           const PointerGradients<float>& gradients, int threads);

}  // namespace npq::kernels
