#include "npq/nn/values.h"

#include <ATen/ops/arange.h>

#include "npq/base/error.h"

namespace npq::nn {

using clrs::Location;
using clrs::Type;

const at::Tensor& find_value(const TensorMap& values, const clrs::Probe& probe) {
  const auto found = values.find(probe.name);
  if (found == values.end()) {
    throw Error(
        "the batch has no {} '{}', which the model was built for; use data of one algorithm",
        clrs::name_of(probe.stage), probe.name);
  }
  return found->second;
}

int place_axes(Location location) {
  switch (location) {
    case Location::Node:
      return 1;
    case Location::Edge:
      return 2;
    case Location::Graph:
      return 0;
  }
  NPQ_ASSERT(false);
  return 0;
}

bool is_pointer(Type type) { return type == Type::Pointer || type == Type::ShouldBePermutation; }

at::Tensor as_rows(const clrs::Probe& probe, const at::Tensor& value, std::int64_t nodes,
                   at::ScalarType dtype) {
  const bool indices = is_pointer(probe.type) && value.dim() == 1 + place_axes(probe.location);
  if (!indices) return value.to(dtype);
  return value.unsqueeze(-1).eq(at::arange(nodes, value.options())).to(dtype);
}

}  // namespace npq::nn
