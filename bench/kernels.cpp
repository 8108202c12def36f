// kernels_bench: every kernel and its twin under Google Benchmark, and the yardstick of both.
#include <ATen/Context.h>
#include <ATen/ops/mm.h>
#include <benchmark/benchmark.h>

#include "npq/ops/threads.h"
#include "npq/twins/twins.h"

namespace npq::bench {
using namespace twins;
namespace {

void run(benchmark::State& state, const Twin& twin, bool fused) {
  at::manual_seed(1);
  const auto work = twin.make(state.range(0), state.range(1));
  const bool backward = state.range(2) != 0;
  if (!apart(work).same())
    return state.SkipWithError("the kernel does not compute what its twin does");
  ops::set_kernel_threads(static_cast<int>(state.range(3)));
  const auto leaves = leaves_of(work, backward);
  for (auto _ : state) call(fused ? work.fused : work.composed, leaves, backward);
  state.counters["GFLOPS"] = benchmark::Counter(
      work.flops * static_cast<double>(state.iterations()) * 1e-9, benchmark::Counter::kIsRate);
}

/// The best float32 product of [rows,128] and [128,128] that this machine computes.
void sgemm(benchmark::State& state) {
  const auto rows = state.range(0);
  const auto a = numbers({rows, 128}, 1), b = numbers({128, 128}, 1);
  ops::set_kernel_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(at::mm(a, b).data_ptr());
  state.counters["GFLOPS"] = benchmark::Counter(
      2.0 * static_cast<double>(rows) * 128 * 128 * static_cast<double>(state.iterations()) * 1e-9,
      benchmark::Counter::kIsRate);
}
BENCHMARK(sgemm)
    ->ArgNames({"rows", "threads"})
    ->ArgsProduct({{64, 1024, 8192}, {1, 2}})
    ->UseRealTime();

}  // namespace
}  // namespace npq::bench

int main(int argc, char** argv) {
  using namespace npq::bench;
  for (const auto& twin : npq::twins::all())
    for (const bool fused : {true, false})
      benchmark::RegisterBenchmark((twin.name + (fused ? "/fused" : "/composed")).c_str(),
                                   [&twin, fused](benchmark::State& s) { run(s, twin, fused); })
          ->ArgNames({"B", "N", "backward", "threads"})
          ->ArgsProduct({{8}, {16, 64}, {0, 1}, {1, 2}})
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
