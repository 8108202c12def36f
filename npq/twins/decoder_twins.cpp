// Fused pointer decoders and triplet products beside the compositions of nn/.
#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>

#include "npq/ops/max_plus_op.h"
#include "npq/ops/pointer_op.h"
#include "npq/twins/twins.h"

namespace npq::twins {
namespace {

constexpr std::int64_t kHidden = 128, kChannels = 3, kTriplets = 8;

at::Tensor fused_pointer(const std::vector<at::Tensor>& in) {
  return ops::fused_pointers({in[0], in[1], in[2], in[3], in[4], in[5]});
}

at::Tensor composed_pointer(const std::vector<at::Tensor>& in) {
  const auto to = in[1].unsqueeze(1) + at::matmul(in[2], in[3]).transpose(1, 2);
  return (at::matmul(at::maximum(in[0].unsqueeze(2).expand_as(to), to), in[4]) + in[5]).squeeze(-1);
}

Work pointers(std::int64_t batch, std::int64_t nodes) {
  const double pairs = static_cast<double>(batch * nodes * nodes * kHidden);
  return {{numbers({batch, nodes, kHidden}, 1), numbers({batch, nodes, kHidden}, 1),
           numbers({batch, nodes, nodes, kChannels}, 1), numbers({kChannels, kHidden}, 1),
           numbers({kHidden, 1}, 0.1), numbers({1}, 1)},
          fused_pointer,
          composed_pointer,
          2 * pairs * (kChannels + 2)};
}

at::Tensor fused_edge_pointer(const std::vector<at::Tensor>& in) {
  return ops::fused_edge_pointers({in[0], in[1], in[2], in[3], in[4], in[5], in[6]});
}

at::Tensor composed_edge_pointer(const std::vector<at::Tensor>& in) {
  const auto pairs = in[0].unsqueeze(2) + in[1].unsqueeze(1) + at::matmul(in[2], in[3]);
  const auto larger = at::maximum(pairs.unsqueeze(3), in[4].unsqueeze(1).unsqueeze(1));
  return (at::matmul(larger, in[5]) + in[6]).squeeze(-1);
}

Work edge_pointers(std::int64_t batch, std::int64_t nodes) {
  const double triples = static_cast<double>(batch * nodes * nodes * nodes * kHidden);
  return {{numbers({batch, nodes, kHidden}, 1), numbers({batch, nodes, kHidden}, 1),
           numbers({batch, nodes, nodes, kChannels}, 1), numbers({kChannels, kHidden}, 1),
           numbers({batch, nodes, kHidden}, 1), numbers({kHidden, 1}, 0.1), numbers({1}, 1)},
          fused_edge_pointer,
          composed_edge_pointer,
          3 * triples};
}

at::Tensor fused_triplets(const std::vector<at::Tensor>& in) {
  return ops::fused_max_plus(in[0], in[1]);
}

at::Tensor composed_triplets(const std::vector<at::Tensor>& in) {
  return (in[0].unsqueeze(3) + in[1].unsqueeze(2)).amax(1);
}

Work triplets(std::int64_t batch, std::int64_t nodes) {
  return {
      {numbers({batch, nodes, nodes, kTriplets}, 1), numbers({batch, nodes, nodes, kTriplets}, 1)},
      fused_triplets,
      composed_triplets,
      2.0 * static_cast<double>(batch * nodes * nodes * nodes * kTriplets)};
}

}  // namespace

std::vector<Twin> decoder_twins() {
  return {{"pointers", pointers}, {"edge pointers", edge_pointers}, {"triplets", triplets}};
}

}  // namespace npq::twins
