#pragma once
#include <cstdint>

// The decoder of node pointers: who points to whom, forward and backward.
namespace npq::kernels {

struct PointerShape {
  int batch = 0, nodes = 0, hidden = 0, channels = 0;  // B, N, H, R
};

template <class Number>
struct PointerInputs {
  const Number* from;   // [B, N, H]
  const Number* to;     // [B, N, H]
  const Number* x;      // [B, N, N, R]
  const Number* c;      // [R, H]
  const Number* dense;  // [B, N, N, H] more of the edges, or null
  const Number* d;      // [H]
  const Number* bias;   // [1]
};

/// Where gradients go; each is overwritten, and not computed where the pointer is null.
template <class Number>
struct PointerGradients {
  Number *from, *to, *x, *c, *dense, *d, *bias;
  const std::uint8_t* x_channels;  // [R]: of these channels alone, the others get 0; null: of all
};

///   q[b,i,j]      = to[b,j] + sum_k X[b,j,i,k] C[k] + dense[b,j,i]             note X[j,i]
///   logits[b,i,j] = sum_h d[h] max(from[b,i,h], q[b,i,j,h]) + bias
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

}  // namespace npq::kernels
