// The yardstick: the best float32 product of [8192,128] and [128,128] that this machine computes.
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include "bench/beside.h"

namespace npq::bench {
namespace {

void sgemm(benchmark::State& state) {
  const auto rows = state.range(0);
  const std::vector<at::Tensor> inputs = {at::randn({rows, 128}), at::randn({128, 128})};
  time(
      state, [](const auto& in) { return at::mm(in[0], in[1]); }, inputs, false,
      static_cast<int>(state.range(1)), 2.0 * static_cast<double>(rows) * 128 * 128);
}
BENCHMARK(sgemm)
    ->ArgNames({"rows", "threads"})
    ->ArgsProduct({{64, 1024, 8192}, {1, 2}})
    ->UseRealTime();

}  // namespace
}  // namespace npq::bench
