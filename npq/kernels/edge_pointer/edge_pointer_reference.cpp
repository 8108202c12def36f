#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/kernels/edge_pointer/edge_pointer.h"

namespace npq::kernels {
namespace {

/// Calls body(i's row, j's row, pair, q) for all pairs of graph b; rows and pairs count over the
/// batch.
template <class Number, class Body>
void for_each_edge(const EdgePointerShape& s, const EdgePointerInputs<Number>& in,
                   const Body& body) {
  const std::size_t N = s.nodes, H = s.hidden, R = s.channels;
  std::vector<Number> q(H);
  for (std::size_t b = 0; b < static_cast<std::size_t>(s.batch); ++b) {
    for (std::size_t i = b * N; i < (b + 1) * N; ++i) {
      for (std::size_t j = b * N; j < (b + 1) * N; ++j) {
        const std::size_t pair = i * N + (j - b * N);
        for (std::size_t h = 0; h < H; ++h) {
          q[h] = in.tail[i * H + h] + in.head[j * H + h];
          for (std::size_t r = 0; r < R; ++r) q[h] += in.x[pair * R + r] * in.c[r * H + h];
          if (in.dense) q[h] += in.dense[pair * H + h];
        }
        body(b, i, j, pair, q);
      }
    }
  }
}

}  // namespace

template <class Number>
void edge_pointer_forward_reference(const EdgePointerShape& s, const EdgePointerInputs<Number>& in,
                                    Number* logits) {
  const std::size_t N = s.nodes, H = s.hidden;
  for_each_edge(s, in, [&](std::size_t b, auto, auto, std::size_t pair, const auto& q) {
    for (std::size_t k = 0; k < N; ++k) {
      Number sum = in.bias[0];
      for (std::size_t h = 0; h < H; ++h) {
        const Number t = in.to[(b * N + k) * H + h];
        sum += in.d[h] * (t > q[h] || std::isnan(t) ? t : q[h]);
      }
      logits[pair * N + k] = sum;
    }
  });
}

template <class Number>
void edge_pointer_backward_reference(const EdgePointerShape& s, const EdgePointerInputs<Number>& in,
                                     const Number* dlogits,
                                     const EdgePointerGradients<Number>& out) {
  const std::size_t N = s.nodes, H = s.hidden, R = s.channels;
  const std::size_t rows = static_cast<std::size_t>(s.batch) * N;
  const auto clear = [](Number* p, std::size_t n) {
    if (p) std::fill_n(p, n, Number(0));
  };
  const auto add = [](Number* p, std::size_t i, Number value) {
    if (p) p[i] += value;
  };
  clear(out.tail, rows * H), clear(out.head, rows * H), clear(out.to, rows * H);
  clear(out.x, rows * N * R), clear(out.c, R * H), clear(out.dense, rows * N * H);
  clear(out.d, H), clear(out.bias, 1);
  for_each_edge(s, in,
                [&](std::size_t b, std::size_t i, std::size_t j, std::size_t pair, const auto& q) {
                  std::vector<Number> dq(H);
                  for (std::size_t k = 0; k < N; ++k) {
                    const Number g = dlogits[pair * N + k];
                    add(out.bias, 0, g);
                    for (std::size_t h = 0; h < H; ++h) {
                      const Number t = in.to[(b * N + k) * H + h];
                      const Number won = q[h] > t ? 1 : q[h] == t ? Number(0.5) : 0;
                      add(out.d, h, g * (q[h] > t ? q[h] : t));
                      add(out.to, (b * N + k) * H + h, g * in.d[h] * (1 - won));
                      dq[h] += g * in.d[h] * won;
                    }
                  }
                  for (std::size_t h = 0; h < H; ++h) {
                    add(out.tail, i * H + h, dq[h]);
                    add(out.head, j * H + h, dq[h]);
                    add(out.dense, pair * H + h, dq[h]);
                    for (std::size_t r = 0; r < R; ++r) {
                      add(out.c, r * H + h, in.x[pair * R + r] * dq[h]);
                      if (!out.x_channels || out.x_channels[r])
                        add(out.x, pair * R + r, dq[h] * in.c[r * H + h]);
                    }
                  }
                });
}

template void edge_pointer_forward_reference(const EdgePointerShape&,
                                             const EdgePointerInputs<float>&, float*);
template void edge_pointer_forward_reference(const EdgePointerShape&,
                                             const EdgePointerInputs<double>&, double*);
template void edge_pointer_backward_reference(const EdgePointerShape&,
                                              const EdgePointerInputs<float>&, const float*,
                                              const EdgePointerGradients<float>&);
template void edge_pointer_backward_reference(const EdgePointerShape&,
                                              const EdgePointerInputs<double>&, const double*,
                                              const EdgePointerGradients<double>&);

}  // namespace npq::kernels
