#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "npq/ops/parameter_store.h"
#include "npq/ops/path.h"

// Every kernel where a network calls it: what `npq bench kernels` and kernels_bench time, after
// checking that the fused and the composed path of the network agree there.
namespace npq::app {

/// A part of a network at one size. The path that is active decides how it is computed.
struct KernelCall {
  std::vector<at::Tensor> inputs;
  ops::ParameterStore parameters;
  std::function<at::Tensor(const std::vector<at::Tensor>& inputs)> operation;
  double flops;  // of the forward pass
};

struct KernelCase {
  std::string name;
  std::function<KernelCall(std::int64_t batch, std::int64_t nodes)> make;
  bool cubic = false;  // numbers of the composed path grow with N * N * N
};

constexpr std::int64_t kCaseHidden = 128;

/// At this hidden size and the paper's other sizes.
const std::vector<KernelCase>& kernel_cases();

/// Relative distances of the results of both paths, and of the gradients of the inputs and of all
/// parameters together (the largest).
struct Apart {
  double result = 0, gradient = 0;
  bool same() const { return result <= 1e-4 && gradient <= 1e-2; }
};
Apart apart(const KernelCall& call);

/// Inputs of their own for repeated runs; with gradients if the backward pass is to run.
std::vector<at::Tensor> leaves_of(const KernelCall& call, bool backward);
/// Once, by that path, forward alone or with the backward pass.
void run_once(const KernelCall& call, const std::vector<at::Tensor>& leaves, ops::Path path,
              bool backward);

}  // namespace npq::app
