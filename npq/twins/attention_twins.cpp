// Fused attention of both versions beside the composition of nn/processors/attention.cpp.
#include <ATen/TensorOperators.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>

#include "npq/ops/attention_op.h"
#include "npq/twins/twins.h"

namespace npq::twins {
namespace {

constexpr std::int64_t kHidden = 128, kChannels = 3;

/// own, other, values, rows, messages, combine; one head.
at::Tensor fused(const std::vector<at::Tensor>& in) {
  return ops::fused_attention({.heads = 1,
                               .own = in[0],
                               .other = in[1],
                               .values = in[2],
                               .rows = in[3],
                               .messages = in[4],
                               .combine = in[5]});
}

at::Tensor composed(const std::vector<at::Tensor>& in) {
  const auto sums = in[0].unsqueeze(2) + in[1].unsqueeze(1) + at::matmul(in[2], in[3]);
  const auto logits = at::matmul(at::leaky_relu(sums, 0.01), in[5]);
  return at::matmul(logits.softmax(-1), in[4]);
}

/// Logits of width 1 are GAT's, of width H GATv2's.
Twin twin(const char* name, std::int64_t width) {
  return {name, [width](std::int64_t batch, std::int64_t nodes) {
            const double pairs = static_cast<double>(batch * nodes * nodes);
            return Work{
                {numbers({batch, nodes, width}, 1), numbers({batch, nodes, width}, 1),
                 numbers({batch, nodes, nodes, kChannels}, 1), numbers({kChannels, width}, 1),
                 numbers({batch, nodes, kHidden}, 1), numbers({width}, 0.1)},
                fused,
                composed,
                2 * pairs * static_cast<double>(width * (kChannels + 2) + kHidden)};
          }};
}

}  // namespace

std::vector<Twin> attention_twins() { return {twin("gat", 1), twin("gatv2", kHidden)}; }

}  // namespace npq::twins
