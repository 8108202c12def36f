#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Every kernel beside its twin, the same computed by plain torch operations: what `npq bench
// kernels` and kernels_bench time, after they proved that both agree.
namespace npq::twins {

using Operation = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

/// One call of a kernel at one size.
struct Work {
  std::vector<at::Tensor> inputs;
  Operation fused, composed;
  double flops;  // of the forward pass
};

struct Twin {
  std::string name;
  std::function<Work(std::int64_t batch, std::int64_t nodes)> make;
};

/// All kernels that a network calls, at hidden size 128 and the paper's other sizes.
const std::vector<Twin>& all();

std::vector<Twin> message_twins();
std::vector<Twin> attention_twins();
std::vector<Twin> decoder_twins();
std::vector<Twin> queue_twins();

/// Normal numbers of that size.
at::Tensor numbers(at::IntArrayRef shape, double scale);

/// Relative distances of the two results, and of the inputs' gradients (the largest).
struct Apart {
  double result = 0, gradient = 0;
  bool same() const { return result <= 1e-4 && gradient <= 1e-2; }
};
Apart apart(const Work& work);

/// One call, forward alone or with the backward pass.
void call(const Operation& operation, const std::vector<at::Tensor>& leaves, bool backward);
std::vector<at::Tensor> leaves_of(const Work& work, bool backward);

}  // namespace npq::twins
