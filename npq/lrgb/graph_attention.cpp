#include "npq/lrgb/graph_attention.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "npq/base/error.h"
#include "npq/kernels/jobs.h"
#include "npq/ops/fused.h"

namespace npq::lrgb {
namespace {

using Shared = std::shared_ptr<const Neighbourhood>;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kNodesPerJob = 64;
constexpr double kSlope = 0.2;

template <class Body>
void over_nodes(std::int64_t nodes, const Body& body) {
  const auto jobs = (nodes + kNodesPerJob - 1) / kNodesPerJob;
  kernels::run_jobs(ops::kernel_threads(), static_cast<int>(jobs), [&](int job) {
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

/// All of one call, as plain pointers.
template <class T>
struct Call {
  const Neighbourhood& edges;
  std::int64_t width;
  const T *left, *right, *att;

  void forward(T* weights, T* out) const {
    over_nodes(edges.nodes(), [&](std::int64_t i, int) {
      const auto first = edges.begin[i], last = edges.begin[i + 1];
      const T* r = right + i * width;
      T largest = -std::numeric_limits<T>::infinity();
      for (auto e = first; e < last; ++e) {
        const T* l = left + edges.sender[e] * width;
        T score = 0;
        for (std::int64_t w = 0; w < width; ++w) score += att[w] * leaky(l[w] + r[w]);
        weights[e] = score;
        largest = std::max(largest, score);
      }
      T total = 0;
      for (auto e = first; e < last; ++e) total += weights[e] = std::exp(weights[e] - largest);
      T* o = out + i * width;
      std::fill_n(o, width, T{0});
      for (auto e = first; e < last; ++e) {
        weights[e] /= total;
        const T* l = left + edges.sender[e] * width;
        for (std::int64_t w = 0; w < width; ++w) o[w] += weights[e] * l[w];
      }
    });
  }

  /// The gradient of each edge's score, of `right`, and of `att` in one part per job.
  void backward_receivers(const T* weights, const T* dout, T* dscore, T* dright,
                          std::vector<double>& datt) const {
    over_nodes(edges.nodes(), [&](std::int64_t i, int job) {
      const auto first = edges.begin[i], last = edges.begin[i + 1];
      const T *g = dout + i * width, *r = right + i * width;
      T mean = 0;
      for (auto e = first; e < last; ++e) {
        const T* l = left + edges.sender[e] * width;
        T along = 0;
        for (std::int64_t w = 0; w < width; ++w) along += g[w] * l[w];
        dscore[e] = along;
        mean += weights[e] * along;
      }
      T* d = dright + i * width;
      double* da = datt.data() + job * width;
      std::fill_n(d, width, T{0});
      for (auto e = first; e < last; ++e) {
        dscore[e] = weights[e] * (dscore[e] - mean);
        const T* l = left + edges.sender[e] * width;
        for (std::int64_t w = 0; w < width; ++w) {
          const T x = l[w] + r[w];
          d[w] += dscore[e] * att[w] * leaky_slope(x);
          da[w] += dscore[e] * leaky(x);
        }
      }
    });
  }

  void backward_senders(const T* weights, const T* dout, const T* dscore, T* dleft) const {
    over_nodes(edges.nodes(), [&](std::int64_t j, int) {
      const T* l = left + j * width;
      T* d = dleft + j * width;
      std::fill_n(d, width, T{0});
      for (auto k = edges.out_begin[j]; k < edges.out_begin[j + 1]; ++k) {
        const auto e = edges.out_edge[k];
        const T *g = dout + edges.out_receiver[k] * width,
                *r = right + edges.out_receiver[k] * width;
        for (std::int64_t w = 0; w < width; ++w)
          d[w] += weights[e] * g[w] + dscore[e] * att[w] * leaky_slope(l[w] + r[w]);
      }
    });
  }
};

template <class Body>
void dispatch(const at::Tensor& x, const Body& body) {
  if (x.scalar_type() == at::kDouble) return body(double{});
  NPQ_ASSERT(x.scalar_type() == at::kFloat);
  body(float{});
}

class Attend : public torch::autograd::Function<Attend> {
 public:
  /// Keeps the neighbourhood alive as long as libtorch may ask for gradients.
  struct Kept : torch::CustomClassHolder {
    Shared edges;
  };

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& left, const at::Tensor& right,
                            const at::Tensor& att, const Shared& edges) {
    const auto out = at::empty_like(left);
    const auto weights = at::empty({edges->edges()}, left.options());
    dispatch(left, [&]<class T>(T) {
      const Call<T> call{*edges, left.size(1), left.data_ptr<T>(), right.data_ptr<T>(),
                         att.data_ptr<T>()};
      call.forward(weights.data_ptr<T>(), out.data_ptr<T>());
    });
    auto kept = c10::make_intrusive<Kept>();
    kept->edges = edges;
    ctx->saved_data["edges"] = c10::IValue::make_capsule(std::move(kept));
    ctx->save_for_backward({left, right, att, weights});
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    ops::refuse_second_derivatives("graph_attention");
    const auto saved = ctx->get_saved_variables();
    const auto capsule = ctx->saved_data["edges"].toCapsule();
    const auto& edges = *static_cast<const Kept&>(*capsule).edges;
    const auto &left = saved[0], &right = saved[1], &att = saved[2], &weights = saved[3];
    const auto dout = outputs[0].contiguous();
    const auto dleft = at::empty_like(left), dright = at::empty_like(right),
               datt = at::empty_like(att), dscore = at::empty_like(weights);
    dispatch(left, [&]<class T>(T) {
      const auto width = left.size(1);
      const Call<T> call{edges, width, left.data_ptr<T>(), right.data_ptr<T>(), att.data_ptr<T>()};
      const auto jobs = (edges.nodes() + kNodesPerJob - 1) / kNodesPerJob;
      std::vector<double> parts(static_cast<std::size_t>(jobs * width)),
          sum(static_cast<std::size_t>(width));
      call.backward_receivers(weights.data_ptr<T>(), dout.data_ptr<T>(), dscore.data_ptr<T>(),
                              dright.data_ptr<T>(), parts);
      for (std::size_t k = 0; k < parts.size(); ++k) sum[k % sum.size()] += parts[k];
      std::copy(sum.begin(), sum.end(), datt.data_ptr<T>());
      call.backward_senders(weights.data_ptr<T>(), dout.data_ptr<T>(), dscore.data_ptr<T>(),
                            dleft.data_ptr<T>());
    });
    return {dleft, dright, datt, {}};
  }
};

}  // namespace

Shared make_neighbourhood(std::int64_t nodes, const std::vector<std::int64_t>& sender,
                          const std::vector<std::int64_t>& receiver) {
  auto made = std::make_shared<Neighbourhood>();
  const auto edges = sender.size();
  made->begin.assign(static_cast<std::size_t>(nodes) + 1, 0);
  made->out_begin = made->begin;
  made->sender.resize(edges);
  made->out_receiver.resize(edges);
  made->out_edge.resize(edges);
  for (std::size_t k = 0; k < edges; ++k) {
    ++made->begin[receiver[k] + 1];
    ++made->out_begin[sender[k] + 1];
  }
  for (std::int64_t i = 0; i < nodes; ++i) {
    made->begin[i + 1] += made->begin[i];
    made->out_begin[i + 1] += made->out_begin[i];
  }
  auto next = made->begin, out_next = made->out_begin;
  for (std::size_t k = 0; k < edges; ++k) {
    const auto edge = next[receiver[k]]++, out = out_next[sender[k]]++;
    made->sender[edge] = static_cast<std::int32_t>(sender[k]);
    made->out_receiver[out] = static_cast<std::int32_t>(receiver[k]);
    made->out_edge[out] = static_cast<std::int32_t>(edge);
  }
  return made;
}

at::Tensor attend(const Shared& edges, const at::Tensor& left, const at::Tensor& right,
                  const at::Tensor& att) {
  NPQ_ASSERT(left.size(0) == edges->nodes() && left.sizes() == right.sizes());
  return Attend::apply(left.contiguous(), right.contiguous(), att.contiguous(), edges);
}

}  // namespace npq::lrgb
