#pragma once
#include <cstdint>

#include "npq/kernels/constants.h"
#include "npq/kernels/queue_choices.h"

// Popping from the neural priority queue, forward and backward.                  [NPQ, eq. 14-23]
namespace npq::kernels {

struct QueuePopShape {
  int batch = 0, nodes = 0, slots = 0, width = 0, heads = 1;  // B, N, S, F, K

  // The defaults are the paper's NPQ_W.
  QueueChoices::Read read = QueueChoices::Read::Weighted;
  QueueChoices::Reader reader = QueueChoices::Reader::Node;
  QueueChoices::Pop pop = QueueChoices::Pop::Consume;  // Keep: q is the attention itself
  QueueChoices::Grant grant = QueueChoices::Grant::Piecewise;
  bool mask_second_softmax = true;
  bool single_head_skip = false;  // with one head alone
  bool straight_through = false;  // Read::Max passes the gradient of the weighted request
};

template <class Number>
struct QueuePopInputs {
  const Number* asked;           // [B, N, K]: f_a1(z)
  const Number* held;            // [B, S, K]: f_a2(v)
  const Number* combine;         // [K]: the weights of f_a; null with single_head_skip
  const Number* strength;        // [B, N]: s_pop; null with Pop::Keep
  const Number* s;               // [B, S]: strengths of the elements; null with Pop::Keep
  const Number* v;               // [B, S, F]
  const std::uint8_t* occupied;  // [B, S]
  const std::uint8_t* real;      // [B, N]: 0 for padding; null: all nodes are real
};

/// Where gradients go; each is overwritten, and not computed if the pointer is null.
template <class Number>
struct QueuePopGradients {
  Number *asked, *held, *combine, *strength, *s, *v;
};

///   e[i,h,j] = leaky_relu(asked[i,h] + held[j,h])                                       [eq. 18]
///   a[i,h,j] = softmax over occupied j of e[i,h,j]                                      [eq. 19]
///   c[i,j]   = softmax over occupied j of sum_h combine[h] a[i,h,j]                     [eq. 20]
///   Reader::Graph: c[j] = softmax over occupied j of sum_i c[i,j]                       [eq. 126]
///   p[i,j]   = strength[i] c[i,j], or strength[i] at the lowest best slot alone      [eq. 21-23]
///   total[j] = sum_i p[i,j]
///   q[i,j]   = p[i,j] min(1, s[j] / total[j])                                           [eq. 15]
///   value[i] = sum_j q[i,j] v[j]                                                        [eq. 16]
/// Pop::Keep: q is c (or 1 at the best slot) and there is no total. Not mask_second_softmax: the
/// first softmax lowers empty slots by 1e9, the others do not know them. Grant::Epsilon: q = p
/// min(s, total) / (total + 1e-6). An empty queue gives zeros. What f_a adds to all slots cancels
/// in the softmax; it has no place here. Padding is left out of the sum of Reader::Graph; its
/// strength must be 0, its values mean nothing. value [B, N, F], total [B, S] (null with
/// Pop::Keep). Contiguous arrays that do not overlap. The same bits for any number of threads.
void queue_pop_forward(const QueuePopShape& shape, const QueuePopInputs<float>& in, float* value,
                       float* total, int threads);
/// dtotal may be null: zero.
void queue_pop_backward(const QueuePopShape& shape, const QueuePopInputs<float>& in,
                        const float* dvalue, const float* dtotal,
                        const QueuePopGradients<float>& gradients, int threads);

template <class Number>
void queue_pop_forward_reference(const QueuePopShape& shape, const QueuePopInputs<Number>& in,
                                 Number* value, Number* total);
template <class Number>
void queue_pop_backward_reference(const QueuePopShape& shape, const QueuePopInputs<Number>& in,
                                  const Number* dvalue, const Number* dtotal,
                                  const QueuePopGradients<Number>& gradients);

// Between the entry and the loops of one level. Plain data only: what an inline function that stood
// here would be compiled to depends on the file.

/// One graph. The n slots that take part (the occupied ones, or all) lie side by side, P is n
/// rounded up to the loops' width; rows of values have G numbers, F rounded up. What was added is
/// 0.
struct QueuePopTile {
  QueuePopShape shape;
  int count, padded, value_width;  // n, P, G
  const float* asked;              // [N, K]
  const float* held;               // [K, P]
  const float* combine;            // [K]
  const float* strength;           // [N]
  const float* s;                  // [P]
  const float* v;                  // [n, G]
  const float* lowered;            // [P]: 1e9 for empty slots, or null
  const std::uint8_t* real;        // [N], or null

  float* attention;    // [N, P]: c of every node
  float* shared;       // [P]: c of all nodes, with Reader::Graph
  float* total;        // [P]
  float* scale;        // [P]
  std::int32_t* best;  // [N], with Read::Max
  float* heads;        // [2, K, P]
  float* value;        // [N, G]

  const float* dvalue;        // [N, G]
  const float* dtotal;        // [P]
  float* dattention;          // [N, P]
  float *dasked, *dstrength;  // [N, K], [N]: written
  float *dheld, *dv, *ds;     // [K, P], [n, G], [P]: written
  float* dcombine;            // [K]: added to
  float* row;                 // [2, P]
};

struct QueuePopLoops {
  int width;
  void (*forward)(const QueuePopTile& tile);
  void (*backward)(const QueuePopTile& tile);  // after forward on the same tile
};

extern const QueuePopLoops kQueuePopAvx2, kQueuePopAvx512;

/// The entry with the loops at hand; tests hand in others.
void queue_pop_forward_with(const QueuePopLoops& loops, const QueuePopShape& shape,
                            const QueuePopInputs<float>& in, float* value, float* total,
                            int threads);
void queue_pop_backward_with(const QueuePopLoops& loops, const QueuePopShape& shape,
                             const QueuePopInputs<float>& in, const float* dvalue,
                             const float* dtotal, const QueuePopGradients<float>& gradients,
                             int threads);

}  // namespace npq::kernels
