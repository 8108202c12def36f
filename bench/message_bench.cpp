// Fused messages beside the composition that nn/processors/pgn.cpp is.
#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>

#include "bench/beside.h"
#include "npq/ops/message_op.h"

namespace npq::bench {
namespace {

constexpr std::int64_t kHidden = 128, kChannels = 3;

std::vector<at::Tensor> inputs(std::int64_t batch, std::int64_t nodes) {
  at::manual_seed(1);
  const double scale = 1.4 / std::sqrt(static_cast<double>(kHidden));
  return {numbers({batch, nodes, kHidden}, 0.7),        numbers({batch, nodes, kHidden}, 0.7),
          numbers({batch, nodes, nodes, kChannels}, 1), numbers({kChannels, kHidden}, scale),
          numbers({kHidden, kHidden}, scale),           numbers({kHidden}, 0.1),
          numbers({kHidden, kHidden}, scale),           numbers({kHidden}, 0.1)};
}

at::Tensor fused(const std::vector<at::Tensor>& in) {
  return ops::fused_messages({in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]});
}

at::Tensor composed(const std::vector<at::Tensor>& in) {
  const auto x = in[0].unsqueeze(1) + in[1].unsqueeze(2) + at::matmul(in[2], in[3]);
  const auto rows = at::relu(x).reshape({-1, kHidden});
  const auto y = at::relu(at::addmm(in[5], rows, in[4]));
  return at::addmm(in[7], y, in[6]).view(x.sizes()).amax(1);
}

/// Arguments: batch, nodes, backward, threads. Units of 2 B N N H H flops: 2 forward, 5 with
/// backward.
void messages(benchmark::State& state, bool is_fused) {
  const auto batch = state.range(0), nodes = state.range(1);
  const bool backward = state.range(2) != 0;
  const auto in = inputs(batch, nodes);
  if (nodes <= 64 && !proven(state, fused, composed, in)) return;
  const double unit = 2.0 * static_cast<double>(batch * nodes * nodes * kHidden * kHidden);
  time(state, is_fused ? Operation(fused) : Operation(composed), in, backward,
       static_cast<int>(state.range(3)), (backward ? 5 : 2) * unit);
}

void sizes(benchmark::internal::Benchmark* b, bool large) {
  b->ArgNames({"B", "N", "backward", "threads"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int threads : {1, 2}) {
    for (const int backward : {0, 1}) {
      b->Args({32, 16, backward, threads});
      b->Args({32, 64, backward, threads});
    }
    if (large) b->Args({4, 256, 0, threads});
  }
}

BENCHMARK_CAPTURE(messages, fused, true)->Apply([](auto* b) { sizes(b, true); });
BENCHMARK_CAPTURE(messages, composed, false)->Apply([](auto* b) { sizes(b, false); });

}  // namespace
}  // namespace npq::bench
