#include <algorithm>
#include <cmath>

#include "npq/kernels/pointer/pointer.h"

namespace npq::kernels {
namespace {

/// q[b,i,j,h], and where its parts lie.
template <class Number>
struct Pair {
  Pair(const PointerShape& s, const PointerInputs<Number>& in, std::size_t b, std::size_t i,
       std::size_t j)
      : hidden(s.hidden),
        channels(s.channels),
        from((b * s.nodes + i) * hidden),
        to((b * s.nodes + j) * hidden),
        pair((b * s.nodes + j) * s.nodes + i),
        in(in) {}

  Number q(std::size_t h) const {
    Number sum = in.to[to + h];
    for (std::size_t k = 0; k < channels; ++k)
      sum += in.x[pair * channels + k] * in.c[k * hidden + h];
    if (in.dense) sum += in.dense[pair * hidden + h];
    return sum;
  }

  std::size_t hidden, channels, from, to, pair;
  const PointerInputs<Number>& in;
};

template <class Number, class Body>
void for_each_pair(const PointerShape& s, const PointerInputs<Number>& in, const Body& body) {
  for (int b = 0; b < s.batch; ++b) {
    for (int i = 0; i < s.nodes; ++i) {
      for (int j = 0; j < s.nodes; ++j)
        body(Pair<Number>(s, in, b, i, j),
             (static_cast<std::size_t>(b) * s.nodes + i) * s.nodes + j);
    }
  }
}

}  // namespace

template <class Number>
void pointer_forward_reference(const PointerShape& s, const PointerInputs<Number>& in,
                               Number* logits) {
  for_each_pair(s, in, [&](const Pair<Number>& pair, std::size_t logit) {
    Number sum = in.bias[0];
    for (std::size_t h = 0; h < pair.hidden; ++h) {
      const Number a = in.from[pair.from + h], q = pair.q(h);
      sum += in.d[h] * (a > q || std::isnan(a) ? a : q);
    }
    logits[logit] = sum;
  });
}

template <class Number>
void pointer_backward_reference(const PointerShape& s, const PointerInputs<Number>& in,
                                const Number* dlogits, const PointerGradients<Number>& out) {
  const std::size_t rows = static_cast<std::size_t>(s.batch) * s.nodes;
  const auto clear = [](Number* p, std::size_t n) {
    if (p) std::fill_n(p, n, Number(0));
  };
  const auto add = [](Number* p, std::size_t i, Number value) {
    if (p) p[i] += value;
  };
  clear(out.from, rows * s.hidden), clear(out.to, rows * s.hidden);
  clear(out.x, rows * s.nodes * s.channels);
  clear(out.c, static_cast<std::size_t>(s.channels) * s.hidden);
  clear(out.dense, rows * s.nodes * s.hidden), clear(out.d, s.hidden), clear(out.bias, 1);
  for_each_pair(s, in, [&](const Pair<Number>& pair, std::size_t logit) {
    const Number g = dlogits[logit];
    add(out.bias, 0, g);
    for (std::size_t h = 0; h < pair.hidden; ++h) {
      const Number a = in.from[pair.from + h], q = pair.q(h);
      const Number won = a > q ? 1 : a == q ? Number(0.5) : 0;
      const Number da = g * in.d[h] * won, dq = g * in.d[h] * (1 - won);
      add(out.d, h, g * (a > q ? a : q));
      add(out.from, pair.from + h, da);
      add(out.to, pair.to + h, dq);
      add(out.dense, pair.pair * pair.hidden + h, dq);
      for (std::size_t k = 0; k < pair.channels; ++k) {
        const std::size_t value = pair.pair * pair.channels + k;
        add(out.c, k * pair.hidden + h, in.x[value] * dq);
        if (!out.x_channels || out.x_channels[k]) add(out.x, value, dq * in.c[k * pair.hidden + h]);
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
