#include "npq/ops/affine_op.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "npq/base/error.h"
#include "npq/ops/fused.h"

namespace npq::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kAffine = "fused_affine";

/// All axes but the last as one.
at::Tensor matrix(const at::Tensor& x) {
  std::int64_t rows = 1;
  for (const auto size : x.sizes().slice(0, x.dim() - 1)) rows *= size;
  return x.contiguous().view({rows, x.size(-1)});
}

/// The sum of all rows, by blocks: long sums of float32 lose digits.
at::Tensor sum_of_rows(const at::Tensor& x) {
  constexpr std::int64_t kBlock = 64;
  const auto rows = x.size(0), width = x.size(1);
  const auto sum = at::zeros({width}, x.options());
  float* total = mutable_numbers(sum);
  const float* row = numbers(x);
  std::vector<float> block(width);
  for (std::int64_t first = 0; first < rows; first += kBlock) {
    std::fill(block.begin(), block.end(), 0.0f);
    const auto last = std::min(rows, first + kBlock);
    for (auto i = first; i < last; ++i, row += width)
      for (std::int64_t k = 0; k < width; ++k) block[k] += row[k];
    for (std::int64_t k = 0; k < width; ++k) total[k] += block[k];
  }
  return sum;
}

class Affine : public torch::autograd::Function<Affine> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias) {
    ctx->save_for_backward({x, weight});
    auto sizes = x.sizes().vec();
    sizes.back() = weight.size(1);
    auto out = at::empty(sizes, x.options());
    auto rows = matrix(out);
    for (std::int64_t i = 0; i < rows.size(0); ++i)
      std::copy_n(numbers(bias), sizes.back(), mutable_numbers(rows) + i * sizes.back());
    rows.addmm_(matrix(x), weight);
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives(kAffine);
    const auto saved = ctx->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1];
    const auto g = matrix(outputs[0]);
    variable_list gradients(3);
    if (ctx->needs_input_grad(0)) gradients[0] = at::mm(g, weight.t()).view(x.sizes());
    if (ctx->needs_input_grad(1)) gradients[1] = at::mm(matrix(x).t(), g);
    if (ctx->needs_input_grad(2)) gradients[2] = sum_of_rows(g);
    return gradients;
  }
};

}  // namespace

at::Tensor fused_affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  check_axes(kAffine, "weight", weight, 2);
  if (x.size(-1) != weight.size(0))
    throw Error("{}: 'x' has {} columns; expected {}, the rows of the weight", kAffine, x.size(-1),
                weight.size(0));
  return Affine::apply(x, weight, checked(kAffine, "bias", bias, {weight.size(1)}));
}

}  // namespace npq::ops
