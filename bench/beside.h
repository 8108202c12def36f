#pragma once
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>

#include <functional>
#include <vector>

// A fused operation beside its composition: proven equal, then timed, at fixed seeds.
namespace npq::bench {

using Operation = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

/// Relative distance of two results, or of their gradients.
inline double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm()).item<double>();
}

inline std::vector<at::Tensor> gradients(const Operation& operation,
                                         const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> leaves, found;
  for (const auto& x : inputs) leaves.push_back(x.detach().clone().requires_grad_(true));
  operation(leaves).square().sum().backward();
  for (const auto& x : leaves) found.push_back(x.grad());
  return found;
}

/// Whether both compute the same, forward and backward; else the benchmark is skipped with an
/// error.
inline bool proven(benchmark::State& state, const Operation& fused, const Operation& composed,
                   const std::vector<at::Tensor>& inputs) {
  if (distance(fused(inputs), composed(inputs)) > 1e-4) {
    state.SkipWithError("the fused result is not the composed one");
    return false;
  }
  const auto left = gradients(fused, inputs), right = gradients(composed, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool both = left[i].defined() && right[i].defined();
    if (both && distance(left[i], right[i]) > 1e-2) {
      state.SkipWithError("a fused gradient is not the composed one");
      return false;
    }
  }
  return true;
}

/// Times `timed`, forward alone or with the backward pass, on so many threads. `flops` per call.
inline void time(benchmark::State& state, const Operation& timed,
                 const std::vector<at::Tensor>& inputs, bool backward, int threads, double flops) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  std::vector<at::Tensor> leaves;
  for (const auto& x : inputs) leaves.push_back(x.detach().clone().requires_grad_(backward));
  for (auto _ : state) {
    const auto result = timed(leaves);
    if (backward) {
      result.sum().backward();
      for (auto& x : leaves) x.mutable_grad() = at::Tensor();
    }
    benchmark::DoNotOptimize(result.data_ptr());
  }
  state.counters["GFLOPS"] = benchmark::Counter(
      flops * static_cast<double>(state.iterations()) * 1e-9, benchmark::Counter::kIsRate);
  at::set_num_threads(before);
}

inline at::Tensor numbers(at::IntArrayRef shape, double scale) { return at::randn(shape) * scale; }

}  // namespace npq::bench
