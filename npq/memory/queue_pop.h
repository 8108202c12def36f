#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

// Popping: who gets how much of which element.                                   [NPQ, eq. 14-23]
namespace npq::memory {

struct Popped {
  at::Tensor attention;  // c [B, N, S]; with Reader::Graph the same for all nodes
  at::Tensor request;    // p [B, N, S]; undefined with Pop::Keep
  at::Tensor total;      // sum of p over nodes [B, S]; undefined with Pop::Keep
  at::Tensor grant;      // q [B, N, S]
  at::Tensor value;      // [B, N, F]
  at::Tensor message;    // [B, N, Mw]
};

///   e[i,h,j] = LeakyReLU(f_a1(z_i)_h + f_a2(v_j)_h)                                      [eq. 18]
///   a[i,h,j] = softmax over occupied j of e[i,h,j]                                       [eq. 19]
///   c[i,j]   = softmax over occupied j of f_a(a[i,1..K,j])                               [eq. 20]
///            or, Attention::Single: softmax over occupied j of sum_h e[i,h,j], without f_a
///   p[i,j]   = s_pop[i] * c[i,j], or s_pop[i] at the best slot alone                  [eq. 21-23]
///   q[i,j]   = p[i,j], cut in proportion where sum_k p[k,j] exceeds s_j                  [eq. 15]
///   value_i  = sum_j q[i,j] v_j                                                          [eq. 16]
/// Pop::Keep: q is c itself, or 1 at the best slot.                                  [eq. 118-120]
/// Reader::Graph: c[j] = softmax over occupied j of sum_i c[i,j], one s_pop.         [eq. 125-129]
/// MessageSize::Unit: a slot is asked for the mean of what the nodes want, and gives each as if it
/// stood for all: value_i = N sum_j q[i,j] v_j, with q and its cut made from p / N. What leaves the
/// queue is as with Share.
///   R_i      = f_m(value_i)                                                              [eq. 24]
/// An empty queue gives zero weights and the zero vector.
Popped pop(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
           const at::Tensor& z, const MemoryState& state);

/// The same by the fused kernel, which hands out nothing but `message` and `total`; for float32.
/// f_m and f_a2 are affine: they are applied once to what is pushed, not in every step to what is
/// popped (MemoryState::product).
Popped fused_pop(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
                 const at::Tensor& z, const MemoryState& state);

}  // namespace npq::memory
