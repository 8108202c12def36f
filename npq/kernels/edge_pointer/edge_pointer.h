#pragma once
#include <cstdint>

// The decoder of edge pointers: which node every edge points to, forward and backward.
namespace npq::kernels {

struct EdgePointerShape {
  int batch = 0, nodes = 0, hidden = 0, channels = 0;  // B, N, H, R
};

template <class Number>
struct EdgePointerInputs {
  const Number* tail;   // [B, N, H]
  const Number* head;   // [B, N, H]
  const Number* x;      // [B, N, N, R]
  const Number* c;      // [R, H]
  const Number* dense;  // [B, N, N, H] more of the edges, or null
  const Number* to;     // [B, N, H]
  const Number* d;      // [H]
  const Number* bias;   // [1]
};

/// Where gradients go; each is overwritten, and not computed where the pointer is null.
template <class Number>
struct EdgePointerGradients {
  Number *tail, *head, *x, *c, *dense, *to, *d, *bias;
  const std::uint8_t* x_channels;  // [R]: of these channels alone, the others get 0; null: of all
};

///   q[b,i,j]        = tail[b,i] + head[b,j] + sum_r X[b,i,j,r] C[r] + dense[b,i,j]
///   logits[b,i,j,k] = sum_h d[h] max(q[b,i,j,h], to[b,k,h]) + bias
/// Nothing but the logits [B, N, N, N] is stored. Contiguous arrays that do not overlap. The same
/// bits for any number of threads.
void edge_pointer_forward(const EdgePointerShape& shape, const EdgePointerInputs<float>& in,
                          float* logits, int threads);
/// Computes the maxima again. Where both sides of a maximum are equal, each gets half.
void edge_pointer_backward(const EdgePointerShape& shape, const EdgePointerInputs<float>& in,
                           const float* dlogits, const EdgePointerGradients<float>& gradients,
                           int threads);

template <class Number>
void edge_pointer_forward_reference(const EdgePointerShape& shape,
                                    const EdgePointerInputs<Number>& in, Number* logits);
template <class Number>
void edge_pointer_backward_reference(const EdgePointerShape& shape,
                                     const EdgePointerInputs<Number>& in, const Number* dlogits,
                                     const EdgePointerGradients<Number>& gradients);

}  // namespace npq::kernels
