#include "npq/ops/fused.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <sstream>
#include <string>

#include "npq/base/error.h"

namespace npq::ops {
namespace {

std::string text(at::IntArrayRef shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

}  // namespace

bool fused_available(const at::Tensor& numbers) {
  return numbers.defined() && numbers.is_cpu() && numbers.scalar_type() == at::kFloat;
}

at::Tensor checked(std::string_view kernel, std::string_view name, const at::Tensor& x,
                   at::IntArrayRef shape) {
  if (!x.defined()) throw Error("{}: '{}' is missing; expected {}", kernel, name, text(shape));
  if (!fused_available(x))
    throw Error("{}: '{}' holds {} on {}; expected float32 on the CPU", kernel, name,
                std::string(c10::toString(x.scalar_type())), x.device().str());
  if (x.sizes() != shape)
    throw Error("{}: '{}' has shape {}; expected {}", kernel, name, text(x.sizes()), text(shape));
  return x.contiguous();
}

void check_axes(std::string_view kernel, std::string_view name, const at::Tensor& x,
                std::int64_t axes) {
  if (!x.defined()) throw Error("{}: '{}' is missing; expected {} axes", kernel, name, axes);
  if (x.dim() != axes)
    throw Error("{}: '{}' has shape {}; expected {} axes", kernel, name, text(x.sizes()), axes);
}

void refuse_second_derivatives(std::string_view kernel) {
  if (at::GradMode::is_enabled())
    throw Error("{} has no second derivatives; use the composed path (--path composed) for them",
                kernel);
}

at::Tensor nothing() { return at::empty({0}, at::kFloat); }

const float* numbers(const at::Tensor& x) { return x.defined() ? x.data_ptr<float>() : nullptr; }

float* mutable_numbers(const at::Tensor& x) { return x.defined() ? x.data_ptr<float>() : nullptr; }

std::uint16_t* indices(const at::Tensor& x) {
  return reinterpret_cast<std::uint16_t*>(x.data_ptr<std::int16_t>());
}

at::Tensor gradient_like(const at::Tensor& x, bool wanted) {
  return wanted && x.defined() ? at::empty(x.sizes(), x.options().requires_grad(false))
                               : at::Tensor();
}

}  // namespace npq::ops
