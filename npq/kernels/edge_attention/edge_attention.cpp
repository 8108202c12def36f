#include "npq/kernels/edge_attention/edge_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"

namespace npq::kernels {
namespace {

constexpr std::int64_t kNodesPerJob = 64;
constexpr double kSlope = 0.2;

std::int64_t job_count(std::int64_t nodes) { return (nodes + kNodesPerJob - 1) / kNodesPerJob; }

template <class Body>
void over_nodes(int threads, std::int64_t nodes, const Body& body) {
  run_jobs(threads, static_cast<int>(job_count(nodes)), [&](int job) {
    const auto last = std::min(nodes, (job + 1) * kNodesPerJob);
    for (auto node = job * kNodesPerJob; node < last; ++node) body(node, job);
  });
}

template <class T>
T leaky(T x) {
  return x > 0 ? x : static_cast<T>(kSlope) * x;
}
template <class T>
T leaky_slope(T x) {
  return x > 0 ? T{1} : static_cast<T>(kSlope);
}

/// The gradient of each edge's score, of `right`, and of `att` in one part per job.
template <class T>
void backward_receivers(const EdgeAttentionInputs<T>& in, const T* weights, const T* dout,
                        T* dscore, T* dright, double* datt, int threads) {
  const auto width = in.width;
  over_nodes(threads, in.edges.nodes(), [&](std::int64_t i, int job) {
    const auto first = in.edges.begin[i], last = in.edges.begin[i + 1];
    const T *g = dout + i * width, *r = in.right + i * width;
    T mean = 0;
    for (auto e = first; e < last; ++e) {
      const T* l = in.left + in.edges.sender[e] * width;
      T along = 0;
      for (std::int64_t w = 0; w < width; ++w) along += g[w] * l[w];
      dscore[e] = along;
      mean += weights[e] * along;
    }
    T* d = dright + i * width;
    double* da = datt + job * width;
    std::fill_n(d, width, T{0});
    for (auto e = first; e < last; ++e) {
      dscore[e] = weights[e] * (dscore[e] - mean);
      const T* l = in.left + in.edges.sender[e] * width;
      for (std::int64_t w = 0; w < width; ++w) {
        const T x = l[w] + r[w];
        d[w] += dscore[e] * in.att[w] * leaky_slope(x);
        da[w] += dscore[e] * leaky(x);
      }
    }
  });
}

template <class T>
void backward_senders(const EdgeAttentionInputs<T>& in, const T* weights, const T* dout,
                      const T* dscore, T* dleft, int threads) {
  const auto width = in.width;
  over_nodes(threads, in.edges.nodes(), [&](std::int64_t j, int) {
    const T* l = in.left + j * width;
    T* d = dleft + j * width;
    std::fill_n(d, width, T{0});
    for (auto k = in.edges.out_begin[j]; k < in.edges.out_begin[j + 1]; ++k) {
      const auto e = in.edges.out_edge[k];
      const T *g = dout + in.edges.out_receiver[k] * width,
              *r = in.right + in.edges.out_receiver[k] * width;
      for (std::int64_t w = 0; w < width; ++w)
        d[w] += weights[e] * g[w] + dscore[e] * in.att[w] * leaky_slope(l[w] + r[w]);
    }
  });
}

}  // namespace

EdgeLists list_edges(std::int64_t nodes, const std::vector<std::int64_t>& sender,
                     const std::vector<std::int64_t>& receiver) {
  EdgeLists lists;
  const auto edges = sender.size();
  lists.begin.assign(static_cast<std::size_t>(nodes) + 1, 0);
  lists.out_begin = lists.begin;
  lists.sender.resize(edges);
  lists.out_receiver.resize(edges);
  lists.out_edge.resize(edges);
  for (std::size_t k = 0; k < edges; ++k) {
    ++lists.begin[receiver[k] + 1];
    ++lists.out_begin[sender[k] + 1];
  }
  for (std::int64_t i = 0; i < nodes; ++i) {
    lists.begin[i + 1] += lists.begin[i];
    lists.out_begin[i + 1] += lists.out_begin[i];
  }
  auto next = lists.begin, out_next = lists.out_begin;
  for (std::size_t k = 0; k < edges; ++k) {
    const auto edge = next[receiver[k]]++, out = out_next[sender[k]]++;
    lists.sender[edge] = static_cast<std::int32_t>(sender[k]);
    lists.out_receiver[out] = static_cast<std::int32_t>(receiver[k]);
    lists.out_edge[out] = static_cast<std::int32_t>(edge);
  }
  return lists;
}

template <class T>
void edge_attention_forward(const EdgeAttentionInputs<T>& in, T* weights, T* out, int threads) {
  count_call(Kernel::EdgeAttention);
  const auto width = in.width;
  over_nodes(threads, in.edges.nodes(), [&](std::int64_t i, int) {
    const auto first = in.edges.begin[i], last = in.edges.begin[i + 1];
    const T* r = in.right + i * width;
    T largest = -std::numeric_limits<T>::infinity();
    for (auto e = first; e < last; ++e) {
      const T* l = in.left + in.edges.sender[e] * width;
      T score = 0;
      for (std::int64_t w = 0; w < width; ++w) score += in.att[w] * leaky(l[w] + r[w]);
      weights[e] = score;
      largest = std::max(largest, score);
    }
    T total = 0;
    for (auto e = first; e < last; ++e) total += weights[e] = std::exp(weights[e] - largest);
    T* o = out + i * width;
    std::fill_n(o, width, T{0});
    for (auto e = first; e < last; ++e) {
      weights[e] /= total;
      const T* l = in.left + in.edges.sender[e] * width;
      for (std::int64_t w = 0; w < width; ++w) o[w] += weights[e] * l[w];
    }
  });
}

template <class T>
void edge_attention_backward(const EdgeAttentionInputs<T>& in, const T* weights, const T* dout,
                             T* dscore, const EdgeAttentionGradients<T>& gradients, int threads) {
  count_call(Kernel::EdgeAttentionBackward);
  const auto jobs = job_count(in.edges.nodes());
  std::vector<double> parts(static_cast<std::size_t>(jobs * in.width)),
      sum(static_cast<std::size_t>(in.width));
  backward_receivers(in, weights, dout, dscore, gradients.right, parts.data(), threads);
  for (std::size_t k = 0; k < parts.size(); ++k) sum[k % sum.size()] += parts[k];
  std::copy(sum.begin(), sum.end(), gradients.att);
  backward_senders(in, weights, dout, dscore, gradients.left, threads);
}

template void edge_attention_forward(const EdgeAttentionInputs<float>&, float*, float*, int);
template void edge_attention_forward(const EdgeAttentionInputs<double>&, double*, double*, int);
template void edge_attention_backward(const EdgeAttentionInputs<float>&, const float*, const float*,
                                      float*, const EdgeAttentionGradients<float>&, int);
template void edge_attention_backward(const EdgeAttentionInputs<double>&, const double*,
                                      const double*, double*, const EdgeAttentionGradients<double>&,
                                      int);

}  // namespace npq::kernels
