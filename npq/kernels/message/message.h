#pragma once
#include <cstddef>
#include <cstdint>

#include "npq/kernels/delivery.h"
#include "npq/kernels/neighbours.h"

// Fused messages of the pointer graph network's family, forward and backward.
namespace npq::kernels {

struct MessageShape {
  int batch = 0;     // B
  int nodes = 0;     // N
  int hidden = 0;    // H
  int channels = 0;  // R, numbers per ordered pair; may be 0
};

/// Which senders a receiver hears: every node, itself alone, or those of its list.
enum class Senders { All, Self, Listed };

template <class Number>
struct MessageInputs {
  const Number* recv;    // [B, N, H]
  const Number* send;    // [B, N, H]
  const Number* x;       // [B, N, N, R], sender first
  const Number* c;       // [R, H]
  const Number* w0;      // [H, H], as u w0
  const Number* b0;      // [H]
  const Number* w1;      // [H, H]
  const Number* b1;      // [H]
  const Number* memory;  // [B, N, H], unless Delivery::Nobody
  Senders senders = Senders::All;
  /// Of the rows of `memory`, which join as more senders before the message network. Under a
  /// maximum a row that is repeated is a row.
  Delivery delivery = Delivery::Nobody;
  Neighbours neighbours;  // of Senders::Listed, by columns
};

/// Where gradients go; each is overwritten, and not computed where the pointer is null. Without
/// memory rows there is no gradient of them.
template <class Number>
struct MessageGradients {
  Number *recv, *send, *x, *c, *w0, *b0, *w1, *b1, *memory;
  const std::uint8_t* x_channels;  // [R]: of these channels alone, the others get 0; null: of all
};

/// The winner's number: a sender, N for a receiver's own memory row, N + k for shared row k.
inline constexpr std::uint16_t kNobody = 0xffff;  // no sender: the floor below won
inline constexpr int kMostMessageNodes = 32767;

/// What a receiver hears that is not adjacent to all nodes, at least.
inline constexpr float kNoMessage = -1e6f;

/// With x[b,s,r] = recv[b,r] + send[b,s] + sum_k X[b,s,r,k] C[k], or a row of the memory:
///   u = relu(x)   y = relu(u W0 + b0)   m = y W1 + b1
///   agg[b,r,f] = max over s that r hears of m[s,f], and of -1e6 if there is a node r does not hear
///   arg[b,r,f] = who said it; the lowest number of those that said the same
/// NaN wins every maximum. Contiguous arrays that do not overlap. Nothing larger than a tile of
/// messages is stored, unless the caller keeps y for the backward pass (Senders::All alone):
///   kept[b,r,s] = y [B, N, M, kept_stride], M = N + 1 with a row for each node itself, else N
/// The same bits for any number of threads.
void message_forward(const MessageShape& shape, const MessageInputs<float>& in, float* agg,
                     std::uint16_t* arg, float* kept, int threads);

/// From row to row of `kept`: H rounded up to the widest vectors. Every level computes in place.
int kept_stride(int hidden);

/// How many numbers `kept` has for one graph.
std::size_t kept_floats(const MessageShape& shape, Delivery delivery);

/// Whether a receiver hears a row of the memory that is its own.
bool has_own_row(Delivery delivery);

/// From dagg [B, N, H] and the forward's arg. Of the messages only those matter that won a feature
/// whose gradient is not 0; only these are computed again, u always and y unless it was kept, to
/// the same bits:
///   dy = sum over f won of dagg[f] W1[:,f]   dp = dy [y>0]   dx = (dp W0^T) [u>0]
void message_backward(const MessageShape& shape, const MessageInputs<float>& in,
                      const std::uint16_t* arg, const float* dagg, const float* kept,
                      const MessageGradients<float>& gradients, int threads);

/// The specification, in plain loops; in double for tests of the gradients.
template <class Number>
void message_forward_reference(const MessageShape& shape, const MessageInputs<Number>& in,
                               Number* agg, std::uint16_t* arg);
template <class Number>
void message_backward_reference(const MessageShape& shape, const MessageInputs<Number>& in,
                                const std::uint16_t* arg, const Number* dagg,
                                const MessageGradients<Number>& gradients);

// Between the entry and the loops of one level. Plain data only: what an inline function that stood
// here would be compiled to depends on the file.

/// The messages to receivers [first, last) of one graph. P is H rounded up to the loops' width;
/// what was added is 0. Pointers are to this graph's part.
struct MessageTile {
  int nodes, hidden, padded, channels;  // N, H, P, R
  int first, last;
  const float *recv, *send;                              // [N, P]
  const float* x;                                        // [N, N, R]
  const float* c;                                        // [R, P]
  const float *w0, *w1;                                  // packed
  const float *b0, *b1;                                  // [P]
  const float* memory;                                   // [N, P] or null
  enum class Hears { All, Self, Listed, Memory } hears;  // Memory: one receiver, the memory's rows
  bool own_memory;                     // receivers also hear their own row of the memory
  const std::int32_t *offsets, *list;  // Listed: offsets[r] .. offsets[r + 1] of this graph
  float* scratch;                      // scratch_floats
  float* kept;      // [N, N + own_memory, kept_stride]: y, receiver first; or null
  int kept_stride;  // at least P

  // Forward. Hears::Memory writes [1, P]; best and best_arg are what it wrote, null without.
  const float* best;
  const std::int32_t* best_arg;
  float* agg;          // [N, H]
  std::uint16_t* arg;  // [N, H]
  float* memory_agg;   // [P], Hears::Memory
  std::int32_t* memory_arg;

  // Backward. Where a gradient is added to, several tiles of one job may add in turn.
  const float* dagg;           // [N, H]
  const float* w0_transposed;  // packed
  const float* w1_transposed;  // [P, P], row f is column f of W1
  float* drecv;                // [N, P], written for first..last
  float* dsend;                // [N, P], added to
  float* dmemory;              // [N, P], added to
  float* dx;                   // [N, N, R], written where a message is alive; or null
  const std::uint8_t* x_channels;
  float *dc, *dw0, *db0, *dw1_transposed, *db1;  // [R, P], [P, P], [P], [P, P], [P]: added to
};

/// The loops of one instruction set.
struct MessageLoops {
  int width;
  void (*pack)(const float* w, int padded, float* packed);  // [P, P] -> [P * P]
  std::size_t (*forward_scratch)(int padded);
  std::size_t (*backward_scratch)(int padded, int nodes, int channels);
  void (*forward)(const MessageTile& tile);
  void (*backward)(const MessageTile& tile);
};

extern const MessageLoops kMessageAvx2, kMessageAvx512, kMessageAmx;

/// The entry with the loops at hand; tests hand in others.
void message_forward_with(const MessageLoops& loops, const MessageShape& shape,
                          const MessageInputs<float>& in, float* agg, std::uint16_t* arg,
                          float* kept, int threads);
void message_backward_with(const MessageLoops& loops, const MessageShape& shape,
                           const MessageInputs<float>& in, const std::uint16_t* arg,
                           const float* dagg, const float* kept,
                           const MessageGradients<float>& gradients, int threads);

}  // namespace npq::kernels
