#include "npq/kernels/norm_relu_unit/norm_relu_unit.h"

#include <algorithm>
#include <cmath>

#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"

namespace npq::kernels {
namespace {

constexpr std::int64_t kRowsPerJob = 128;
constexpr double kShortest = 1e-12;

std::int64_t job_count(std::int64_t rows) { return (rows + kRowsPerJob - 1) / kRowsPerJob; }

/// body(first, last, job) over blocks of rows.
template <class Body>
void over_rows(int threads, std::int64_t rows, const Body& body) {
  run_jobs(threads, static_cast<int>(job_count(rows)),
           [&](int job) { body(job * kRowsPerJob, std::min(rows, (job + 1) * kRowsPerJob), job); });
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

/// What both directions need per column: xhat = (x - mean) * inverse, z = xhat * scale + offset.
template <class T>
struct Columns {
  std::vector<T> mean, inverse;
  const T *scale, *offset;

  explicit Columns(const NormReluUnitInputs<T>& in) : scale(in.scale), offset(in.offset) {
    for (std::size_t w = 0; w < in.moments.mean.size(); ++w) {
      const double root = 1 / std::sqrt(in.moments.variance[w] + in.eps);
      inverse.push_back(static_cast<T>(root));
      mean.push_back(static_cast<T>(in.moments.mean[w]));
    }
  }
  T xhat(T x, std::int64_t w) const { return (x - mean[w]) * inverse[w]; }
  T z(T x, std::int64_t w) const { return xhat(x, w) * scale[w] + offset[w]; }
};

/// dy = (dout - out (out . dout)) / |y|, and nothing if relu gave 0: into `dz`, with the
/// columns' sums of dz and of dz * xhat, which are the gradients of offset and scale.
template <class T>
void backward_rows(const NormReluUnitInputs<T>& in, const Columns<T>& columns, const T* out,
                   const T* lengths, const T* dout, T* dz, ColumnSums& sums, ColumnSums& products,
                   int threads) {
  const auto width = in.width;
  over_rows(threads, in.rows, [&](std::int64_t first, std::int64_t last, int job) {
    double *sum = sums.part(job), *product = products.part(job);
    for (auto row = first; row < last; ++row) {
      const auto at = row * width;
      const T *x = in.x + at, *u = out + at, *du = dout + at;
      T* d = dz + at;
      const T along = static_cast<T>(dot(u, du, width)), inverse = 1 / lengths[row];
      for (std::int64_t w = 0; w < width; ++w) {
        d[w] = u[w] > 0 ? (du[w] - u[w] * along) * inverse : T{0};
        sum[w] += d[w];
        product[w] += d[w] * columns.xhat(x[w], w);
      }
    }
  });
}

}  // namespace

template <class T>
ColumnMoments column_moments(const T* x, std::int64_t rows, std::int64_t width, int threads) {
  ColumnSums sums(rows, width), squares(rows, width);
  over_rows(threads, rows, [&](std::int64_t first, std::int64_t last, int job) {
    double* sum = sums.part(job);
    for (auto row = first; row < last; ++row)
      for (std::int64_t w = 0; w < width; ++w) sum[w] += x[row * width + w];
  });
  ColumnMoments found{sums.total(), {}};
  for (double& mean : found.mean) mean /= static_cast<double>(rows);
  over_rows(threads, rows, [&](std::int64_t first, std::int64_t last, int job) {
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

template <class T>
void norm_relu_unit_forward(const NormReluUnitInputs<T>& in, T* out, T* lengths, int threads) {
  count_call(Kernel::NormReluUnit);
  const Columns<T> columns(in);
  const auto width = in.width;
  over_rows(threads, in.rows, [&](std::int64_t first, std::int64_t last, int) {
    for (auto row = first; row < last; ++row) {
      const T* x = in.x + row * width;
      T* u = out + row * width;
      for (std::int64_t w = 0; w < width; ++w) u[w] = std::max(columns.z(x[w], w), T{0});
      lengths[row] = static_cast<T>(std::max(std::sqrt(dot(u, u, width)), kShortest));
      const T inverse = 1 / lengths[row];
      for (std::int64_t w = 0; w < width; ++w) u[w] *= inverse;
    }
  });
}

template <class T>
void norm_relu_unit_backward(const NormReluUnitInputs<T>& in, const T* out, const T* lengths,
                             const T* dout, const NormReluUnitGradients<T>& gradients,
                             int threads) {
  count_call(Kernel::NormReluUnitBackward);
  const auto rows = in.rows, width = in.width;
  const Columns<T> columns(in);
  ColumnSums sums(rows, width), products(rows, width);
  backward_rows(in, columns, out, lengths, dout, gradients.x, sums, products, threads);
  const auto sum = sums.total(), product = products.total();
  std::copy(product.begin(), product.end(), gradients.scale);
  std::copy(sum.begin(), sum.end(), gradients.offset);
  // Through the mean and the variance of the batch, in place of dz.
  over_rows(threads, rows, [&](std::int64_t first, std::int64_t last, int) {
    const T* from = in.x;
    const T count = static_cast<T>(rows);
    T* d = gradients.x;
    for (auto row = first; row < last; ++row)
      for (std::int64_t w = 0; w < width; ++w) {
        const auto at = row * width + w;
        const T around =
            (static_cast<T>(sum[w]) + columns.xhat(from[at], w) * static_cast<T>(product[w])) /
            count;
        d[at] = columns.inverse[w] * columns.scale[w] * (d[at] - around);
      }
  });
}

template ColumnMoments column_moments(const float*, std::int64_t, std::int64_t, int);
template ColumnMoments column_moments(const double*, std::int64_t, std::int64_t, int);
template void norm_relu_unit_forward(const NormReluUnitInputs<float>&, float*, float*, int);
template void norm_relu_unit_forward(const NormReluUnitInputs<double>&, double*, double*, int);
template void norm_relu_unit_backward(const NormReluUnitInputs<float>&, const float*, const float*,
                                      const float*, const NormReluUnitGradients<float>&, int);
template void norm_relu_unit_backward(const NormReluUnitInputs<double>&, const double*,
                                      const double*, const double*,
                                      const NormReluUnitGradients<double>&, int);

}  // namespace npq::kernels
