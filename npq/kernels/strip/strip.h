#pragma once

// One step of a strip of slots, as neural stack, queue and deque have them: weighted reads, and
// values written over whole slots, forward and backward.
namespace npq::kernels {

struct StripShape {
  int rows = 0, slots = 0, width = 0;  // R, S, F
  int reads = 0, writes = 0;           // K, W
  const int* targets = nullptr;        // [W]: the slot of each write, the same in all rows
};

template <class Number>
struct StripInputs {
  const Number* v;       // [R, S, F]
  const Number* weight;  // [R, K, S]
  const Number* values;  // [R, W, F]
};

template <class Number>
struct StripOutputs {
  Number* read;  // [R, K, F]
  Number* next;  // [R, S, F]
};

template <class Number>
struct StripGradients {
  Number* v;       // overwritten; null: not wanted
  Number* weight;  // the same
  Number* values;  // the same
};

///   read[k] = sum_j weight[k,j] v[j]
///   next[j] = values[w] of the last write w to slot j, v[j] where there is none
/// A slot of weight 0 is skipped. One pass over v: the same code at every level, bound by
/// memory. Contiguous arrays that do not overlap.
template <class Number>
void strip_forward(const StripShape& shape, const StripInputs<Number>& in,
                   const StripOutputs<Number>& out, int threads);
/// From the gradients of read and next; next's null: zero. Needs v and weight of the inputs.
template <class Number>
void strip_backward(const StripShape& shape, const StripInputs<Number>& in, const Number* d_read,
                    const Number* d_next, const StripGradients<Number>& out, int threads);

}  // namespace npq::kernels
