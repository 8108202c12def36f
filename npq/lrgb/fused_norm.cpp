#include "npq/lrgb/fused_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "npq/base/error.h"
#include "npq/kernels/jobs.h"
#include "npq/ops/fused.h"

namespace npq::lrgb {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowsPerJob = 128;
constexpr double kShortest = 1e-12;

std::int64_t job_count(std::int64_t rows) { return (rows + kRowsPerJob - 1) / kRowsPerJob; }

/// body(first, last, job) over blocks of rows.
template <class Body>
void over_rows(std::int64_t rows, const Body& body) {
  kernels::run_jobs(ops::kernel_threads(), static_cast<int>(job_count(rows)), [&](int job) {
    body(job * kRowsPerJob, std::min(rows, (job + 1) * kRowsPerJob), job);
  });
}

/// a . b in eight strands, always in the same order: in one, every addition would wait for the
/// last.
template <class T>
double dot(const T* a, const T* b, std::int64_t width) {
  double sums[8] = {};
  std::int64_t w = 0;
  for (; w + 8 <= width; w += 8)
    for (int k = 0; k < 8; ++k) sums[k] += static_cast<double>(a[w + k]) * b[w + k];
  for (int k = 0; w + k < width; ++k) sums[k] += static_cast<double>(a[w + k]) * b[w + k];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/// Columns summed block by block, then in the order of the blocks.
class ColumnSums {
 public:
  ColumnSums(std::int64_t rows, std::int64_t width)
      : width_(width), parts_(static_cast<std::size_t>(job_count(rows) * width)) {}
  double* part(int job) { return parts_.data() + job * width_; }
  std::vector<double> total() const {
    std::vector<double> sums(static_cast<std::size_t>(width_));
    for (std::size_t k = 0; k < parts_.size(); ++k) sums[k % sums.size()] += parts_[k];
    return sums;
  }

 private:
  std::int64_t width_;
  std::vector<double> parts_;
};

struct Moments {
  std::vector<double> mean, variance;  // biased
};

template <class T>
Moments moments(const T* x, std::int64_t rows, std::int64_t width) {
  ColumnSums sums(rows, width), squares(rows, width);
  over_rows(rows, [&](std::int64_t first, std::int64_t last, int job) {
    double* sum = sums.part(job);
    for (auto row = first; row < last; ++row)
      for (std::int64_t w = 0; w < width; ++w) sum[w] += x[row * width + w];
  });
  Moments found{sums.total(), {}};
  for (double& mean : found.mean) mean /= static_cast<double>(rows);
  over_rows(rows, [&](std::int64_t first, std::int64_t last, int job) {
    double* sum = squares.part(job);
    for (auto row = first; row < last; ++row)
      for (std::int64_t w = 0; w < width; ++w) {
        const double centred = x[row * width + w] - found.mean[w];
        sum[w] += centred * centred;
      }
  });
  found.variance = squares.total();
  for (double& variance : found.variance) variance /= static_cast<double>(rows);
  return found;
}

/// What both directions need per column: xhat = (x - mean) * inverse, z = xhat * scale + offset.
template <class T>
struct Columns {
  std::vector<T> mean, inverse;
  const T *scale, *offset;

  Columns(const Moments& moments, const at::Tensor& scales, const at::Tensor& offsets)
      : scale(scales.data_ptr<T>()), offset(offsets.data_ptr<T>()) {
    for (std::size_t w = 0; w < moments.mean.size(); ++w) {
      const double root = 1 / std::sqrt(moments.variance[w] + kBatchNormEps);
      inverse.push_back(static_cast<T>(root));
      mean.push_back(static_cast<T>(moments.mean[w]));
    }
  }
  T xhat(T x, std::int64_t w) const { return (x - mean[w]) * inverse[w]; }
  T z(T x, std::int64_t w) const { return xhat(x, w) * scale[w] + offset[w]; }
};

template <class T>
void forward_rows(const at::Tensor& x, const Columns<T>& columns, const at::Tensor& out,
                  const at::Tensor& lengths) {
  const auto width = x.size(1);
  const T* from = x.data_ptr<T>();
  T *to = out.data_ptr<T>(), *length = lengths.data_ptr<T>();
  over_rows(x.size(0), [&](std::int64_t first, std::int64_t last, int) {
    for (auto row = first; row < last; ++row) {
      const T* in = from + row * width;
      T* u = to + row * width;
      for (std::int64_t w = 0; w < width; ++w) u[w] = std::max(columns.z(in[w], w), T{0});
      length[row] = static_cast<T>(std::max(std::sqrt(dot(u, u, width)), kShortest));
      const T inverse = 1 / length[row];
      for (std::int64_t w = 0; w < width; ++w) u[w] *= inverse;
    }
  });
}

/// dy = (du - u (u . du)) / |y|, and nothing where relu gave 0: into `dz`, with the columns' sums
/// of dz and of dz * xhat, which are the gradients of offset and scale.
template <class T>
void backward_rows(const at::Tensor& x, const Columns<T>& columns, const at::Tensor& out,
                   const at::Tensor& lengths, const at::Tensor& gradient, const at::Tensor& dz,
                   ColumnSums& sums, ColumnSums& products) {
  const auto width = x.size(1);
  over_rows(x.size(0), [&](std::int64_t first, std::int64_t last, int job) {
    double *sum = sums.part(job), *product = products.part(job);
    for (auto row = first; row < last; ++row) {
      const auto at = row * width;
      const T *in = x.data_ptr<T>() + at, *u = out.data_ptr<T>() + at,
              *du = gradient.data_ptr<T>() + at;
      T* d = dz.data_ptr<T>() + at;
      const T along = static_cast<T>(dot(u, du, width)), inverse = 1 / lengths.data_ptr<T>()[row];
      for (std::int64_t w = 0; w < width; ++w) {
        d[w] = u[w] > 0 ? (du[w] - u[w] * along) * inverse : T{0};
        sum[w] += d[w];
        product[w] += d[w] * columns.xhat(in[w], w);
      }
    }
  });
}

class NormReluUnit : public torch::autograd::Function<NormReluUnit> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& scale,
                            const at::Tensor& offset, const at::Tensor& seen) {
    const auto out = at::empty_like(x), lengths = at::empty({x.size(0)}, x.options());
    dispatch(x, [&]<class T>(T) {
      forward_rows<T>(x, Columns<T>(moments_of(seen), scale, offset), out, lengths);
    });
    ctx->save_for_backward({x, scale, offset, seen, out, lengths});
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    ops::refuse_second_derivatives("norm_relu_unit");
    const auto saved = ctx->get_saved_variables();
    const auto &x = saved[0], &scale = saved[1], &offset = saved[2], &out = saved[4],
               &lengths = saved[5];
    const auto gradient = outputs[0].contiguous();
    const auto dx = at::empty_like(x), dscale = at::empty_like(scale),
               doffset = at::empty_like(offset);
    dispatch(x, [&]<class T>(T) {
      const auto rows = x.size(0), width = x.size(1);
      const Columns<T> columns(moments_of(saved[3]), scale, offset);
      ColumnSums sums(rows, width), products(rows, width);
      backward_rows<T>(x, columns, out, lengths, gradient, dx, sums, products);
      const auto sum = sums.total(), product = products.total();
      std::copy(product.begin(), product.end(), dscale.data_ptr<T>());
      std::copy(sum.begin(), sum.end(), doffset.data_ptr<T>());
      // Through the mean and the variance of the batch, in place of dz.
      over_rows(rows, [&](std::int64_t first, std::int64_t last, int) {
        const T *from = x.data_ptr<T>(), count = static_cast<T>(rows);
        T* d = dx.data_ptr<T>();
        for (auto row = first; row < last; ++row)
          for (std::int64_t w = 0; w < width; ++w) {
            const auto at = row * width + w;
            const T around =
                (static_cast<T>(sum[w]) + columns.xhat(from[at], w) * static_cast<T>(product[w])) /
                count;
            d[at] = columns.inverse[w] * columns.scale[w] * (d[at] - around);
          }
      });
    });
    return {dx, dscale, doffset, {}};
  }

  /// Mean and variance as [2, D] F64.
  static at::Tensor packed(const Moments& moments) {
    const auto tensor = at::empty({2, static_cast<std::int64_t>(moments.mean.size())}, at::kDouble);
    auto* to = std::copy(moments.mean.begin(), moments.mean.end(), tensor.data_ptr<double>());
    std::copy(moments.variance.begin(), moments.variance.end(), to);
    return tensor;
  }
  static Moments moments_of(const at::Tensor& packed) {
    const auto* from = packed.data_ptr<double>();
    const auto width = packed.size(1);
    return {{from, from + width}, {from + width, from + 2 * width}};
  }
  template <class Body>
  static void dispatch(const at::Tensor& x, const Body& body) {
    if (x.scalar_type() == at::kDouble) return body(double{});
    NPQ_ASSERT(x.scalar_type() == at::kFloat);
    body(float{});
  }
};

}  // namespace

at::Tensor norm_relu_unit(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                          BatchStatistics& statistics) {
  const auto given = x.contiguous();
  Moments found;
  NormReluUnit::dispatch(given, [&]<class T>(T) {
    found = moments(given.data_ptr<T>(), given.size(0), given.size(1));
  });
  const auto seen = NormReluUnit::packed(found);
  remember(statistics, seen[0], seen[1], given.size(0));
  return NormReluUnit::apply(given, scale, offset, seen);
}

}  // namespace npq::lrgb
