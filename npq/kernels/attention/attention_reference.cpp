#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/kernels/attention/attention.h"
#include "npq/kernels/optional.h"

namespace npq::kernels {
namespace {

/// Node i of graph b: whom it attends to, with which logits.
template <class Number>
struct Attending {
  Attending(const AttentionShape& s, const AttentionInputs<Number>& in, std::size_t b,
            std::size_t i)
      : N(s.nodes), K(s.heads), D(s.width), R(s.channels), row(b * N + i), in(in) {
    if (in.neighbours.offsets) {
      for (int e = in.neighbours.offsets[row]; e < in.neighbours.offsets[row + 1]; ++e)
        attended.push_back(in.neighbours.list[e]);
    } else {
      for (int j = 0; j < s.nodes; ++j) attended.push_back(j);
    }
    first = b * N;
  }

  std::size_t pair(std::size_t j) const { return row * N + j; }

  Number before(std::size_t j, std::size_t hd) const {
    Number sum = in.own[row * K * D + hd] + in.other[(first + j) * K * D + hd];
    for (std::size_t r = 0; r < R; ++r) sum += in.x[pair(j) * R + r] * in.c[r * K * D + hd];
    return sum;
  }
  Number weight(std::size_t hd) const { return in.a ? in.a[hd] : Number(1); }

  Number logit(std::size_t j, std::size_t h) const {
    Number sum = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const Number p = before(j, h * D + d);
      sum += weight(h * D + d) * (p > 0 ? p : Number(kLeak) * p);
    }
    return sum;
  }

  std::size_t N, K, D, R, row, first;
  const AttentionInputs<Number>& in;
  std::vector<int> attended;
};

}  // namespace

template <class Number>
void attention_forward_reference(const AttentionShape& s, const AttentionInputs<Number>& in,
                                 Number* agg, Number* norms) {
  const std::size_t K = s.heads, f = s.hidden / s.heads;
  for (int b = 0; b < s.batch; ++b) {
    for (int i = 0; i < s.nodes; ++i) {
      const Attending<Number> node(s, in, b, i);
      for (std::size_t h = 0; h < K; ++h) {
        Number* out = agg + node.row * s.hidden + h * f;
        std::fill_n(out, f, Number(0));
        std::vector<Number> logits;
        for (const int j : node.attended) logits.push_back(node.logit(j, h));
        const Number top = *std::max_element(logits.begin(), logits.end());
        Number sum = 0;
        for (const Number logit : logits) sum += std::exp(logit - top);
        norms[(node.row * K + h) * 2] = top;
        norms[(node.row * K + h) * 2 + 1] = 1 / sum;
        for (std::size_t n = 0; n < logits.size(); ++n) {
          const Number weight = std::exp(logits[n] - top) / sum;
          const Number* value = in.values + (node.first + node.attended[n]) * s.hidden + h * f;
          for (std::size_t k = 0; k < f; ++k) out[k] += weight * value[k];
        }
      }
    }
  }
}

template <class Number>
void attention_backward_reference(const AttentionShape& s, const AttentionInputs<Number>& in,
                                  const Number* norms, const Number* dagg,
                                  const AttentionGradients<Number>& out) {
  const std::size_t K = s.heads, D = s.width, R = s.channels, f = s.hidden / s.heads;
  const std::size_t rows = static_cast<std::size_t>(s.batch) * s.nodes;
  clear(out.own, rows * K * D), clear(out.other, rows * K * D), clear(out.a, K * D);
  clear(out.c, R * K * D), clear(out.x, rows * s.nodes * R), clear(out.values, rows * s.hidden);
  for (int b = 0; b < s.batch; ++b) {
    for (int i = 0; i < s.nodes; ++i) {
      const Attending<Number> node(s, in, b, i);
      for (std::size_t h = 0; h < K; ++h) {
        const Number top = norms[(node.row * K + h) * 2], scale = norms[(node.row * K + h) * 2 + 1];
        const Number* g = dagg + node.row * s.hidden + h * f;
        std::vector<Number> weights, dweights;
        Number mean = 0;
        for (const int j : node.attended) {
          const std::size_t value = (node.first + j) * s.hidden + h * f;
          weights.push_back(std::exp(node.logit(j, h) - top) * scale);
          Number dweight = 0;
          for (std::size_t k = 0; k < f; ++k) {
            dweight += g[k] * in.values[value + k];
            add(out.values, value + k, weights.back() * g[k]);
          }
          dweights.push_back(dweight);
          mean += weights.back() * dweight;
        }
        for (std::size_t n = 0; n < weights.size(); ++n) {
          const int j = node.attended[n];
          const Number dlogit = weights[n] * (dweights[n] - mean);
          for (std::size_t hd = h * D; hd < (h + 1) * D; ++hd) {
            const Number p = node.before(j, hd);
            add(out.a, hd, dlogit * (p > 0 ? p : Number(kLeak) * p));
            const Number dp = dlogit * node.weight(hd) * (p > 0 ? Number(1) : Number(kLeak));
            add(out.own, node.row * K * D + hd, dp);
            add(out.other, (node.first + j) * K * D + hd, dp);
            for (std::size_t r = 0; r < R; ++r) {
              const std::size_t value = node.pair(j) * R + r;
              add(out.c, r * K * D + hd, in.x[value] * dp);
              if (!out.x_channels || out.x_channels[r])
                add(out.x, value, dp * in.c[r * K * D + hd]);
            }
          }
        }
      }
    }
  }
}

template void attention_forward_reference(const AttentionShape&, const AttentionInputs<float>&,
                                          float*, float*);
template void attention_forward_reference(const AttentionShape&, const AttentionInputs<double>&,
                                          double*, double*);
template void attention_backward_reference(const AttentionShape&, const AttentionInputs<float>&,
                                           const float*, const float*,
                                           const AttentionGradients<float>&);
template void attention_backward_reference(const AttentionShape&, const AttentionInputs<double>&,
                                           const double*, const double*,
                                           const AttentionGradients<double>&);

}  // namespace npq::kernels
