#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/kernels/optional.h"
#include "npq/kernels/queue_pop/queue_pop.h"

namespace npq::kernels {
namespace {

using Q = QueueChoices;

/// One graph: every intermediate of the equations, by their names.
template <class Number>
struct Pop {
  using List = std::vector<Number>;

  Pop(const QueuePopShape& shape, const QueuePopInputs<Number>& inputs, std::size_t graph)
      : o(shape), in(inputs), b(graph), N(o.nodes), S(o.slots), K(o.heads), F(o.width) {
    for (std::size_t j = 0; j < S; ++j) {
      occupied.push_back(in.occupied[b * S + j]);
      if (occupied[j] || !o.mask_second_softmax) slots.push_back(j);
    }
    e.assign(N * K * S, 0), a = e, each.assign(N * S, 0);
    for (std::size_t i = 0; i < N; ++i) attend(i);
    c = each;
    if (o.reader == Q::Reader::Graph) read_once();
    grant();
  }

  /// In place, over the slots that take part.
  void softmax(Number* x) const {
    if (slots.empty()) return;
    Number top = x[slots[0]], sum = 0;
    for (const auto j : slots) top = std::max(top, x[j]);
    for (const auto j : slots) sum += x[j] = std::exp(x[j] - top);
    for (const auto j : slots) x[j] /= sum;
  }
  /// dx of y = softmax(x), from dy.
  List softmax_gradient(const Number* y, const List& dy) const {
    Number mean = 0;
    for (const auto j : slots) mean += y[j] * dy[j];
    List dx(S, 0);
    for (const auto j : slots) dx[j] = y[j] * (dy[j] - mean);
    return dx;
  }

  void attend(std::size_t i) {
    for (std::size_t h = 0; h < K; ++h) {
      Number* logits = &e[(i * K + h) * S];
      for (std::size_t j = 0; j < S; ++j) {
        const Number sum = in.asked[(b * N + i) * K + h] + in.held[(b * S + j) * K + h];
        logits[j] = sum;
        a[(i * K + h) * S + j] =
            (sum > 0 ? sum : Number(kLeak) * sum) -
            (occupied[j] || o.mask_second_softmax ? Number(0) : Number(kExcluded));
      }
      softmax(&a[(i * K + h) * S]);
      for (const auto j : slots)
        each[i * S + j] +=
            (o.single_head_skip ? Number(1) : in.combine[h]) * a[(i * K + h) * S + j];
    }
    if (!o.single_head_skip) softmax(&each[i * S]);
  }

  bool is_real(std::size_t i) const { return !in.real || in.real[b * N + i]; }

  void read_once() {
    List together(S, 0);
    for (std::size_t i = 0; i < N; ++i) {
      if (!is_real(i)) continue;
      for (const auto j : slots) together[j] += each[i * S + j];
    }
    softmax(together.data());
    for (std::size_t i = 0; i < N; ++i) {
      for (const auto j : slots) c[i * S + j] = together[j];
    }
  }

  void grant() {
    spread.assign(N * S, 0), total.assign(S, 0), scale.assign(S, 1);
    for (std::size_t i = 0; i < N; ++i) {
      std::size_t best = S;
      for (const auto j : slots) {
        spread[i * S + j] = o.read == Q::Read::Max ? 0 : c[i * S + j];
        if (best == S || c[i * S + j] > c[i * S + best]) best = j;
      }
      if (o.read == Q::Read::Max && best < S) spread[i * S + best] = 1;
    }
    q = spread;
    if (o.pop == Q::Pop::Keep) return;
    for (std::size_t j = 0; j < S; ++j) {
      for (std::size_t i = 0; i < N; ++i) total[j] += in.strength[b * N + i] * spread[i * S + j];
      const Number s = in.s[b * S + j];
      if (o.grant == Q::Grant::Epsilon)
        scale[j] = std::min(s, total[j]) / (total[j] + Number(kGrantEpsilon));
      else if (total[j] > s)
        scale[j] = s / total[j];
      for (std::size_t i = 0; i < N; ++i) q[i * S + j] *= in.strength[b * N + i] * scale[j];
    }
  }

  const QueuePopShape& o;
  const QueuePopInputs<Number>& in;
  std::size_t b, N, S, K, F;
  std::vector<std::uint8_t> occupied;
  std::vector<std::size_t> slots;  // that take part
  List e, a;                       // [N, K, S]
  List each, c, spread, q;         // [N, S]
  List total, scale;               // [S]
};

}  // namespace

template <class Number>
void queue_pop_forward_reference(const QueuePopShape& shape, const QueuePopInputs<Number>& in,
                                 Number* value, Number* total) {
  for (int b = 0; b < shape.batch; ++b) {
    const Pop<Number> pop(shape, in, b);
    const std::size_t N = pop.N, S = pop.S, F = pop.F;
    std::fill_n(value + b * N * F, N * F, Number(0));
    for (std::size_t i = 0; i < N; ++i) {
      for (const auto j : pop.slots) {
        for (std::size_t f = 0; f < F; ++f)
          value[(b * N + i) * F + f] += pop.q[i * S + j] * in.v[(b * S + j) * F + f];
      }
    }
    if (shape.pop != Q::Pop::Keep) std::copy_n(pop.total.data(), S, total + b * S);
  }
}

template <class Number>
void queue_pop_backward_reference(const QueuePopShape& shape, const QueuePopInputs<Number>& in,
                                  const Number* dvalue, const Number* dtotal,
                                  const QueuePopGradients<Number>& out) {
  const std::size_t B = shape.batch, N = shape.nodes, S = shape.slots, K = shape.heads,
                    F = shape.width;
  clear(out.asked, B * N * K), clear(out.held, B * S * K), clear(out.v, B * S * F);
  if (!shape.single_head_skip) clear(out.combine, K);
  if (shape.pop != Q::Pop::Keep) clear(out.strength, B * N), clear(out.s, B * S);

  for (std::size_t b = 0; b < B; ++b) {
    const Pop<Number> pop(shape, in, b);
    std::vector<Number> dq(N * S, 0), dc(N * S, 0);
    for (std::size_t i = 0; i < N; ++i) {
      for (const auto j : pop.slots) {
        for (std::size_t f = 0; f < F; ++f) {
          const Number g = dvalue[(b * N + i) * F + f];
          dq[i * S + j] += g * in.v[(b * S + j) * F + f];
          add(out.v, (b * S + j) * F + f, pop.q[i * S + j] * g);
        }
      }
    }
    const bool attends = shape.read != Q::Read::Max || shape.straight_through;
    for (const auto j : pop.slots) {
      if (shape.pop == Q::Pop::Keep) {
        for (std::size_t i = 0; i < N; ++i) dc[i * S + j] = attends ? dq[i * S + j] : 0;
        continue;
      }
      const Number s = in.s[b * S + j], total = pop.total[j];
      Number dscale = 0, dtot = dtotal ? dtotal[b * S + j] : 0;
      for (std::size_t i = 0; i < N; ++i)
        dscale += dq[i * S + j] * in.strength[b * N + i] * pop.spread[i * S + j];
      if (shape.grant == Q::Grant::Epsilon) {
        const Number bottom = total + Number(kGrantEpsilon), least = std::min(s, total);
        const Number half = s == total ? Number(0.5) : 1;
        if (s <= total) add(out.s, b * S + j, half * dscale / bottom);
        if (s >= total) dtot += half * dscale / bottom;
        dtot -= dscale * least / (bottom * bottom);
      } else if (total > s) {
        add(out.s, b * S + j, dscale / total);
        dtot -= dscale * s / (total * total);
      }
      for (std::size_t i = 0; i < N; ++i) {
        const Number dp = dq[i * S + j] * pop.scale[j] + dtot;
        add(out.strength, b * N + i, dp * pop.spread[i * S + j]);
        if (attends) dc[i * S + j] = dp * in.strength[b * N + i];
      }
    }
    if (shape.reader == Q::Reader::Graph) {
      std::vector<Number> together(S, 0);
      for (std::size_t i = 0; i < N; ++i) {
        for (const auto j : pop.slots) together[j] += dc[i * S + j];
      }
      together = pop.softmax_gradient(pop.c.data(), together);
      for (std::size_t i = 0; i < N; ++i) {
        if (pop.is_real(i))
          std::copy_n(together.data(), S, &dc[i * S]);
        else
          std::fill_n(&dc[i * S], S, Number(0));
      }
    }
    for (std::size_t i = 0; i < N; ++i) {
      std::vector<Number> dcombined(&dc[i * S], &dc[i * S] + S);
      if (!shape.single_head_skip) dcombined = pop.softmax_gradient(&pop.each[i * S], dcombined);
      for (std::size_t h = 0; h < K; ++h) {
        const Number* a = &pop.a[(i * K + h) * S];
        std::vector<Number> da(S, 0);
        for (const auto j : pop.slots) {
          if (!shape.single_head_skip) add(out.combine, h, dcombined[j] * a[j]);
          da[j] = dcombined[j] * (shape.single_head_skip ? Number(1) : in.combine[h]);
        }
        const auto de = pop.softmax_gradient(a, da);
        for (const auto j : pop.slots) {
          const Number x = de[j] * (pop.e[(i * K + h) * S + j] > 0 ? Number(1) : Number(kLeak));
          add(out.asked, (b * N + i) * K + h, x);
          add(out.held, (b * S + j) * K + h, x);
        }
      }
    }
  }
}

template void queue_pop_forward_reference(const QueuePopShape&, const QueuePopInputs<float>&,
                                          float*, float*);
template void queue_pop_forward_reference(const QueuePopShape&, const QueuePopInputs<double>&,
                                          double*, double*);
template void queue_pop_backward_reference(const QueuePopShape&, const QueuePopInputs<float>&,
                                           const float*, const float*,
                                           const QueuePopGradients<float>&);
template void queue_pop_backward_reference(const QueuePopShape&, const QueuePopInputs<double>&,
                                           const double*, const double*,
                                           const QueuePopGradients<double>&);

}  // namespace npq::kernels
