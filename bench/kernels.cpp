// kernels_bench: every kernel on both paths under Google Benchmark, and the yardstick of both.
#include <ATen/Context.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>

#include "app/engine/speed/kernel_cases.h"
#include "npq/ops/threads.h"

namespace npq::bench {
namespace {

void run(benchmark::State& state, const app::KernelCase& kernel, ops::Path path) {
  at::manual_seed(1);
  const auto call = kernel.make(state.range(0), state.range(1));
  const bool backward = state.range(2) != 0;
  if (!app::apart(call).same())
    return state.SkipWithError("the kernel does not compute what the composed path does");
  ops::set_kernel_threads(static_cast<int>(state.range(3)));
  const auto leaves = app::leaves_of(call, backward);
  for (auto _ : state) app::run_once(call, leaves, path, backward);
  state.counters["GFLOPS"] = benchmark::Counter(
      call.flops * static_cast<double>(state.iterations()) * 1e-9, benchmark::Counter::kIsRate);
}

/// The best float32 product of [rows,128] and [128,128] that this machine computes.
void sgemm(benchmark::State& state) {
  const auto rows = state.range(0);
  const auto a = at::randn({rows, 128}), b = at::randn({128, 128});
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
  using npq::ops::Path;
  for (const auto& kernel : npq::app::kernel_cases())
    for (const auto path : {Path::Fused, Path::Composed})
      benchmark::RegisterBenchmark(
          (kernel.name + (path == Path::Fused ? "/fused" : "/composed")).c_str(),
          [&kernel, path](benchmark::State& s) { run(s, kernel, path); })
          ->ArgNames({"B", "N", "backward", "threads"})
          ->ArgsProduct({{8}, {16, 64}, {0, 1}, {1, 2}})
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
