#pragma once
#include <cstdint>
#include <vector>

// Batch norm, relu and rows of length 1 in one go, forward and backward.
namespace npq::kernels {

/// Of every column of x [rows, width]; the variance is the biased one.
struct ColumnMoments {
  std::vector<double> mean, variance;
};
template <class Number>
ColumnMoments column_moments(const Number* x, std::int64_t rows, std::int64_t width, int threads);

template <class Number>
struct NormReluUnitInputs {
  std::int64_t rows, width;
  const ColumnMoments& moments;  // of x
  double eps;
  const Number *x, *scale, *offset;  // [rows, width], [width], [width]
};

/// Each is overwritten.
template <class Number>
struct NormReluUnitGradients {
  Number *x, *scale, *offset;
};

///   y   = relu((x - mean) / sqrt(variance + eps) * scale + offset)        by columns
///   out = y / max(|y|, 1e-12)                                             by rows
/// lengths [rows] keeps max(|y|, 1e-12) for the gradients. A few passes over x, bound by memory:
/// the same code at every level. Arrays do not overlap. Sums over rows are divided by sizes alone:
/// the same bits for any number of threads.
template <class Number>
void norm_relu_unit_forward(const NormReluUnitInputs<Number>& in, Number* out, Number* lengths,
                            int threads);
/// Through the mean and the variance, too.
template <class Number>
void norm_relu_unit_backward(const NormReluUnitInputs<Number>& in, const Number* out,
                             const Number* lengths, const Number* dout,
                             const NormReluUnitGradients<Number>& gradients, int threads);

}  // namespace npq::kernels
