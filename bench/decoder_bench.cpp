// Fused pointer decoders and triplet products beside the compositions of nn/.
#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>

#include "bench/beside.h"
#include "npq/ops/max_plus_op.h"
#include "npq/ops/pointer_op.h"

namespace npq::bench {
namespace {

constexpr std::int64_t kHidden = 128, kChannels = 3, kTriplets = 8;

at::Tensor fused_pointer(const std::vector<at::Tensor>& in) {
  return ops::fused_pointers({in[0], in[1], in[2], in[3], in[4], in[5]});
}

at::Tensor composed_pointer(const std::vector<at::Tensor>& in) {
  const auto to = in[1].unsqueeze(1) + at::matmul(in[2], in[3]).transpose(1, 2);
  return (at::matmul(at::maximum(in[0].unsqueeze(2).expand_as(to), to), in[4]) + in[5]).squeeze(-1);
}

void pointers(benchmark::State& state, bool is_fused) {
  at::manual_seed(1);
  const auto batch = state.range(0), nodes = state.range(1);
  const std::vector<at::Tensor> in = {numbers({batch, nodes, kHidden}, 1),
                                      numbers({batch, nodes, kHidden}, 1),
                                      numbers({batch, nodes, nodes, kChannels}, 1),
                                      numbers({kChannels, kHidden}, 1),
                                      numbers({kHidden, 1}, 0.1),
                                      numbers({1}, 1)};
  if (!proven(state, fused_pointer, composed_pointer, in)) return;
  const double pairs = static_cast<double>(batch * nodes * nodes * kHidden);
  time(state, is_fused ? Operation(fused_pointer) : Operation(composed_pointer), in,
       state.range(2) != 0, static_cast<int>(state.range(3)), 2 * pairs * (kChannels + 2));
}

at::Tensor fused_triplets(const std::vector<at::Tensor>& in) {
  return ops::fused_max_plus(in[0], in[1]);
}

at::Tensor composed_triplets(const std::vector<at::Tensor>& in) {
  return (in[0].unsqueeze(3) + in[1].unsqueeze(2)).amax(1);
}

void triplets(benchmark::State& state, bool is_fused) {
  at::manual_seed(1);
  const auto batch = state.range(0), nodes = state.range(1);
  const std::vector<at::Tensor> in = {numbers({batch, nodes, nodes, kTriplets}, 1),
                                      numbers({batch, nodes, nodes, kTriplets}, 1)};
  if (!proven(state, fused_triplets, composed_triplets, in)) return;
  time(state, is_fused ? Operation(fused_triplets) : Operation(composed_triplets), in,
       state.range(2) != 0, static_cast<int>(state.range(3)),
       2.0 * static_cast<double>(batch * nodes * nodes * nodes * kTriplets));
}

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"B", "N", "backward", "threads"})->UseRealTime()->Unit(benchmark::kMillisecond);
  b->ArgsProduct({{32}, {16, 64}, {0, 1}, {1, 2}});
}

BENCHMARK_CAPTURE(pointers, fused, true)->Apply(sizes);
BENCHMARK_CAPTURE(pointers, composed, false)->Apply(sizes);
BENCHMARK_CAPTURE(triplets, fused, true)->Apply(sizes);
BENCHMARK_CAPTURE(triplets, composed, false)->Apply(sizes);

}  // namespace
}  // namespace npq::bench
