// Fused messages beside the composition that nn/processors/pgn.cpp is.
#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>

#include <cmath>

#include "npq/ops/message_op.h"
#include "npq/twins/twins.h"

namespace npq::twins {
namespace {

constexpr std::int64_t kHidden = 128, kChannels = 3;

at::Tensor fused(const std::vector<at::Tensor>& in) {
  return ops::fused_messages({in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]});
}

at::Tensor composed(const std::vector<at::Tensor>& in) {
  const auto x = in[0].unsqueeze(1) + in[1].unsqueeze(2) + at::matmul(in[2], in[3]);
  const auto rows = at::relu(x).reshape({-1, kHidden});
  const auto y = at::relu(at::addmm(in[5], rows, in[4]));
  return at::addmm(in[7], y, in[6]).view(x.sizes()).amax(1);
}

}  // namespace

std::vector<Twin> message_twins() {
  return {{"messages", [](std::int64_t batch, std::int64_t nodes) {
             const double scale = 1.4 / std::sqrt(static_cast<double>(kHidden));
             const double pairs = static_cast<double>(batch * nodes * nodes);
             return Work{
                 {numbers({batch, nodes, kHidden}, 0.7), numbers({batch, nodes, kHidden}, 0.7),
                  numbers({batch, nodes, nodes, kChannels}, 1),
                  numbers({kChannels, kHidden}, scale), numbers({kHidden, kHidden}, scale),
                  numbers({kHidden}, 0.1), numbers({kHidden, kHidden}, scale),
                  numbers({kHidden}, 0.1)},
                 fused,
                 composed,
                 2 * 2 * pairs * kHidden * kHidden};
           }}};
}

}  // namespace npq::twins
