#include "npq/kernels/strip/strip.h"

#include <algorithm>
#include <cstddef>

#include "npq/base/error.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"

namespace npq::kernels {
namespace {

/// The last write to a slot; -1 if there is none.
int writer(const StripShape& shape, int slot) {
  for (int w = shape.writes - 1; w >= 0; --w)
    if (shape.targets[w] == slot) return w;
  return -1;
}

template <class Number>
void add(const Number* from, Number factor, int count, Number* to) {
  for (int f = 0; f < count; ++f) to[f] += factor * from[f];
}

/// With a fixed number of partial sums, which the compiler may keep in one register or in eight.
template <class Number>
Number dot(const Number* a, const Number* b, int count) {
  constexpr int kSums = 8;
  Number sums[kSums] = {};
  int f = 0;
  for (; f + kSums <= count; f += kSums)
    for (int k = 0; k < kSums; ++k) sums[k] += a[f + k] * b[f + k];
  Number sum = 0;
  for (; f < count; ++f) sum += a[f] * b[f];
  for (const Number part : sums) sum += part;
  return sum;
}

template <class Number>
void forward(const StripShape& shape, const StripInputs<Number>& in,
             const StripOutputs<Number>& out) {
  const int S = shape.slots, F = shape.width;
  std::fill_n(out.read, static_cast<std::size_t>(shape.reads) * F, Number(0));
  for (int j = 0; j < S; ++j) {
    const Number* held = in.v + static_cast<std::size_t>(j) * F;
    for (int k = 0; k < shape.reads; ++k)
      if (const Number weight = in.weight[k * S + j]; weight != 0)
        add(held, weight, F, out.read + static_cast<std::size_t>(k) * F);
    const int w = writer(shape, j);
    std::copy_n(w < 0 ? held : in.values + static_cast<std::size_t>(w) * F, F,
                out.next + static_cast<std::size_t>(j) * F);
  }
}

template <class Number>
void backward(const StripShape& shape, const StripInputs<Number>& in, const Number* d_read,
              const Number* d_next, const StripGradients<Number>& out) {
  const int S = shape.slots, F = shape.width;
  if (out.values) std::fill_n(out.values, static_cast<std::size_t>(shape.writes) * F, Number(0));
  for (int j = 0; j < S; ++j) {
    const Number* later = d_next ? d_next + static_cast<std::size_t>(j) * F : nullptr;
    const int w = writer(shape, j);
    if (out.values && later && w >= 0)
      std::copy_n(later, F, out.values + static_cast<std::size_t>(w) * F);
    if (out.v) {
      Number* held = out.v + static_cast<std::size_t>(j) * F;
      if (later && w < 0)
        std::copy_n(later, F, held);
      else
        std::fill_n(held, F, Number(0));
      for (int k = 0; k < shape.reads; ++k)
        if (const Number weight = in.weight[k * S + j]; weight != 0)
          add(d_read + static_cast<std::size_t>(k) * F, weight, F, held);
    }
    if (!out.weight) continue;
    for (int k = 0; k < shape.reads; ++k)
      out.weight[k * S + j] =
          dot(d_read + static_cast<std::size_t>(k) * F, in.v + static_cast<std::size_t>(j) * F, F);
  }
}

/// Calls body(of) for every row; of(array, size) is the row's own part of an array.
template <class Body>
void each_row(const StripShape& shape, int threads, const Body& body) {
  NPQ_ASSERT(std::all_of(shape.targets, shape.targets + shape.writes,
                         [&](int slot) { return 0 <= slot && slot < shape.slots; }));
  run_jobs(threads, shape.rows, [&](int row) {
    body([row](auto* all, std::size_t size) { return all ? all + row * size : all; });
  });
}

}  // namespace

template <class Number>
void strip_forward(const StripShape& shape, const StripInputs<Number>& in,
                   const StripOutputs<Number>& out, int threads) {
  count_call(Kernel::Strip);
  const std::size_t S = shape.slots, F = shape.width, K = shape.reads, W = shape.writes;
  each_row(shape, threads, [&](const auto& of) {
    forward<Number>(shape, {of(in.v, S * F), of(in.weight, K * S), of(in.values, W * F)},
                    {of(out.read, K * F), of(out.next, S * F)});
  });
}

template <class Number>
void strip_backward(const StripShape& shape, const StripInputs<Number>& in, const Number* d_read,
                    const Number* d_next, const StripGradients<Number>& out, int threads) {
  count_call(Kernel::StripBackward);
  const std::size_t S = shape.slots, F = shape.width, K = shape.reads, W = shape.writes;
  each_row(shape, threads, [&](const auto& of) {
    backward<Number>(shape, {of(in.v, S * F), of(in.weight, K * S), nullptr}, of(d_read, K * F),
                     of(d_next, S * F),
                     {of(out.v, S * F), of(out.weight, K * S), of(out.values, W * F)});
  });
}

template void strip_forward(const StripShape&, const StripInputs<float>&,
                            const StripOutputs<float>&, int);
template void strip_forward(const StripShape&, const StripInputs<double>&,
                            const StripOutputs<double>&, int);
template void strip_backward(const StripShape&, const StripInputs<float>&, const float*,
                             const float*, const StripGradients<float>&, int);
template void strip_backward(const StripShape&, const StripInputs<double>&, const double*,
                             const double*, const StripGradients<double>&, int);

}  // namespace npq::kernels
