#include "npq/ops/neighbour_lists.h"

#include <ATen/ops/empty.h>

#include <cstring>
#include <sstream>

#include "npq/base/error.h"
#include "npq/kernels/neighbour_lists.h"

namespace npq::ops {
namespace {

at::Tensor tensor_of(const std::vector<std::int32_t>& numbers) {
  auto tensor = at::empty({static_cast<std::int64_t>(numbers.size())}, at::kInt);
  if (!numbers.empty())
    std::memcpy(tensor.data_ptr<std::int32_t>(), numbers.data(),
                numbers.size() * sizeof(std::int32_t));
  return tensor;
}

template <class List>
NeighbourTensors listed(const at::Tensor& mask, const List& list) {
  if (mask.dim() != 3 || mask.size(1) != mask.size(2) || mask.scalar_type() != at::kBool) {
    std::ostringstream shape;
    shape << mask.sizes();
    throw Error("an adjacency has shape {}; expected bool [B, N, N]", shape.str());
  }
  const auto dense = mask.contiguous();
  const auto lists = list(reinterpret_cast<const std::uint8_t*>(dense.data_ptr<bool>()),
                          static_cast<int>(mask.size(0)), static_cast<int>(mask.size(1)));
  return {tensor_of(lists.offsets), tensor_of(lists.list)};
}

}  // namespace

kernels::Neighbours NeighbourTensors::view() const {
  return {offsets.data_ptr<std::int32_t>(), list.data_ptr<std::int32_t>()};
}

NeighbourTensors list_senders(const at::Tensor& mask) {
  return listed(mask, kernels::list_columns);
}

NeighbourTensors list_attended(const at::Tensor& mask) { return listed(mask, kernels::list_rows); }

}  // namespace npq::ops
