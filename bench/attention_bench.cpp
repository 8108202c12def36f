// Fused attention of both versions beside the composition of nn/processors/attention.cpp.
#include <ATen/TensorOperators.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>

#include "bench/beside.h"
#include "npq/ops/attention_op.h"

namespace npq::bench {
namespace {

constexpr std::int64_t kHidden = 128, kChannels = 3;

/// own, other, values, rows, messages, combine; one head, width 1 (GAT) or H (GATv2).
std::vector<at::Tensor> inputs(std::int64_t batch, std::int64_t nodes, std::int64_t width) {
  at::manual_seed(1);
  return {numbers({batch, nodes, width}, 1),
          numbers({batch, nodes, width}, 1),
          numbers({batch, nodes, nodes, kChannels}, 1),
          numbers({kChannels, width}, 1),
          numbers({batch, nodes, kHidden}, 1),
          numbers({width}, 0.1)};
}

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

void attention(benchmark::State& state, bool is_fused) {
  const auto batch = state.range(0), nodes = state.range(1), width = state.range(2);
  const auto in = inputs(batch, nodes, width);
  if (!proven(state, fused, composed, in)) return;
  const double pairs = static_cast<double>(batch * nodes * nodes);
  time(state, is_fused ? Operation(fused) : Operation(composed), in, state.range(3) != 0,
       static_cast<int>(state.range(4)),
       2 * pairs * static_cast<double>(width * (kChannels + 2) + kHidden));
}

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"B", "N", "width", "backward", "threads"})
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond)
      ->ArgsProduct({{32}, {16, 64}, {1, kHidden}, {0, 1}, {1, 2}});
}

BENCHMARK_CAPTURE(attention, fused, true)->Apply(sizes);
BENCHMARK_CAPTURE(attention, composed, false)->Apply(sizes);

}  // namespace
}  // namespace npq::bench
