#include <algorithm>
#include <cmath>

#include "npq/kernels/max_plus/max_plus.h"

namespace npq::kernels {

template <class Number>
void max_plus_forward_reference(const MaxPlusShape& s, const Number* left, const Number* right,
                                Number* out, std::uint16_t* arg) {
  const std::size_t N = s.nodes, F = s.features;
  for (std::size_t b = 0; b < static_cast<std::size_t>(s.batch); ++b) {
    const auto at = [&](std::size_t row, std::size_t column, std::size_t f) {
      return ((b * N + row) * N + column) * F + f;
    };
    for (std::size_t j = 0; j < N; ++j) {
      for (std::size_t k = 0; k < N; ++k) {
        for (std::size_t f = 0; f < F; ++f) {
          Number best = left[at(0, j, f)] + right[at(0, k, f)];
          std::size_t who = 0;
          for (std::size_t i = 1; i < N; ++i) {
            const Number sum = left[at(i, j, f)] + right[at(i, k, f)];
            if (sum > best || std::isnan(sum)) best = sum, who = i;
          }
          out[at(j, k, f)] = best;
          arg[at(j, k, f)] = static_cast<std::uint16_t>(who);
        }
      }
    }
  }
}

template <class Number>
void max_plus_backward_reference(const MaxPlusShape& s, const std::uint16_t* arg,
                                 const Number* dout, Number* dleft, Number* dright) {
  const std::size_t N = s.nodes, F = s.features, graph = N * N * F;
  for (auto* gradient : {dleft, dright}) {
    if (gradient) std::fill_n(gradient, s.batch * graph, Number(0));
  }
  for (std::size_t b = 0; b < static_cast<std::size_t>(s.batch); ++b) {
    for (std::size_t j = 0; j < N; ++j) {
      for (std::size_t k = 0; k < N; ++k) {
        for (std::size_t f = 0; f < F; ++f) {
          const std::size_t at = b * graph + (j * N + k) * F + f, i = arg[at];
          if (dleft) dleft[b * graph + (i * N + j) * F + f] += dout[at];
          if (dright) dright[b * graph + (i * N + k) * F + f] += dout[at];
        }
      }
    }
  }
}

template void max_plus_forward_reference(const MaxPlusShape&, const float*, const float*, float*,
                                         std::uint16_t*);
template void max_plus_forward_reference(const MaxPlusShape&, const double*, const double*, double*,
                                         std::uint16_t*);
template void max_plus_backward_reference(const MaxPlusShape&, const std::uint16_t*, const float*,
                                          float*, float*);
template void max_plus_backward_reference(const MaxPlusShape&, const std::uint16_t*, const double*,
                                          double*, double*);

}  // namespace npq::kernels
