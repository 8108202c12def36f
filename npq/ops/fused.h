#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "npq/base/error.h"
#include "npq/ops/threads.h"

// What the torch faces of all kernels share.
namespace npq::ops {

/// Whether the fused kernels can compute with numbers like these: float32 on the CPU. Double, for
/// tests of gradients, goes through the composed path.
bool fused_available(const at::Tensor& numbers);

/// x as a contiguous float32 tensor of this shape; anything else is an Error with both shapes.
at::Tensor checked(std::string_view kernel, std::string_view name, const at::Tensor& x,
                   at::IntArrayRef shape);

/// An Error unless x has so many axes.
void check_axes(std::string_view kernel, std::string_view name, const at::Tensor& x,
                std::int64_t axes);

/// Raises while a graph of the gradients themselves is being built: kernels have first derivatives
/// only, and silence would mean zeros.
void refuse_second_derivatives(std::string_view kernel);

/// Stands for an argument that is not there: libtorch's functions take no undefined tensors.
at::Tensor nothing();

const float* numbers(const at::Tensor& x);  // null if undefined
float* mutable_numbers(const at::Tensor& x);
/// 16-bit indices live in int16 tensors.
std::uint16_t* indices(const at::Tensor& x);

/// Calls body(float{}) or body(double{}), as x has: for kernels that are written for both.
template <class Body>
void float_or_double(const at::Tensor& x, const Body& body) {
  if (x.scalar_type() == at::kDouble) return body(double{});
  NPQ_ASSERT(x.scalar_type() == at::kFloat);
  body(float{});
}

/// Like x, not set; undefined where it is not wanted.
at::Tensor gradient_like(const at::Tensor& x, bool wanted);

}  // namespace npq::ops
