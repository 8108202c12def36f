#include <cmath>
#include <vector>

#include "npq/kernels/optional.h"
#include "npq/kernels/pointer/pointer.h"

namespace npq::kernels {
namespace {

/// One pair, and the nodes that it is compared with; rows, pairs and logits count over the batch.
template <class Number>
struct Pair {
  std::size_t row, column, pair;
  std::size_t first_node, nodes, first_logit;
  std::vector<Number> q;  // [H]
};

template <class Number>
Pair<Number> make_pair(const PointerShape& s, const PointerInputs<Number>& in, std::size_t b,
                       std::size_t i, std::size_t j) {
  const std::size_t N = s.nodes, H = s.hidden, R = s.channels;
  Pair<Number> p;
  if (s.of == PointerShape::Of::Edges)
    p = {b * N + i, b * N + j, (b * N + i) * N + j, b * N, N, ((b * N + i) * N + j) * N, {}};
  else
    p = {b * N + j, b * N + i, (b * N + j) * N + i, b * N + i, 1, (b * N + i) * N + j, {}};
  for (std::size_t h = 0; h < H; ++h) {
    Number sum = in.row[p.row * H + h];
    if (in.column) sum += in.column[p.column * H + h];
    for (std::size_t k = 0; k < R; ++k) sum += in.x[p.pair * R + k] * in.c[k * H + h];
    if (in.dense) sum += in.dense[p.pair * H + h];
    p.q.push_back(sum);
  }
  return p;
}

template <class Number, class Body>
void for_each_pair(const PointerShape& s, const PointerInputs<Number>& in, const Body& body) {
  for (int b = 0; b < s.batch; ++b) {
    for (int i = 0; i < s.nodes; ++i) {
      for (int j = 0; j < s.nodes; ++j) body(make_pair(s, in, b, i, j));
    }
  }
}

}  // namespace

template <class Number>
void pointer_forward_reference(const PointerShape& s, const PointerInputs<Number>& in,
                               Number* logits) {
  const std::size_t H = s.hidden;
  for_each_pair(s, in, [&](const Pair<Number>& pair) {
    for (std::size_t n = 0; n < pair.nodes; ++n) {
      Number sum = in.bias[0];
      for (std::size_t h = 0; h < H; ++h) {
        const Number a = in.node[(pair.first_node + n) * H + h], q = pair.q[h];
        sum += in.d[h] * (a > q || std::isnan(a) ? a : q);
      }
      logits[pair.first_logit + n] = sum;
    }
  });
}

template <class Number>
void pointer_backward_reference(const PointerShape& s, const PointerInputs<Number>& in,
                                const Number* dlogits, const PointerGradients<Number>& out) {
  const std::size_t H = s.hidden, R = s.channels;
  const std::size_t rows = static_cast<std::size_t>(s.batch) * s.nodes, pairs = rows * s.nodes;
  clear(out.node, rows * H), clear(out.row, rows * H), clear(out.column, rows * H);
  clear(out.x, pairs * R), clear(out.c, R * H), clear(out.dense, pairs * H);
  clear(out.d, H), clear(out.bias, 1);
  for_each_pair(s, in, [&](const Pair<Number>& pair) {
    std::vector<Number> dq(H);
    for (std::size_t n = 0; n < pair.nodes; ++n) {
      const Number g = dlogits[pair.first_logit + n];
      const std::size_t node = (pair.first_node + n) * H;
      add(out.bias, 0, g);
      for (std::size_t h = 0; h < H; ++h) {
        const Number a = in.node[node + h], q = pair.q[h];
        const Number won = a > q ? 1 : a == q ? Number(0.5) : 0;
        add(out.d, h, g * (a > q ? a : q));
        add(out.node, node + h, g * in.d[h] * won);
        dq[h] += g * in.d[h] * (1 - won);
      }
    }
    for (std::size_t h = 0; h < H; ++h) {
      add(out.row, pair.row * H + h, dq[h]);
      add(out.column, pair.column * H + h, dq[h]);
      add(out.dense, pair.pair * H + h, dq[h]);
      for (std::size_t k = 0; k < R; ++k) {
        const std::size_t value = pair.pair * R + k;
        add(out.c, k * H + h, in.x[value] * dq[h]);
        if (!out.x_channels || out.x_channels[k]) add(out.x, value, dq[h] * in.c[k * H + h]);
      }
    }
  });
}

template void pointer_forward_reference(const PointerShape&, const PointerInputs<float>&, float*);
template void pointer_forward_reference(const PointerShape&, const PointerInputs<double>&, double*);
template void pointer_backward_reference(const PointerShape&, const PointerInputs<float>&,
                                         const float*, const PointerGradients<float>&);
template void pointer_backward_reference(const PointerShape&, const PointerInputs<double>&,
                                         const double*, const PointerGradients<double>&);

}  // namespace npq::kernels
