// A neural priority queue in a GNN of your own. The nodes of a graph see their numbers at the first
// step only, and the network's hidden state does not outlive a step: what it knows of the numbers
// at the last step it can only have from the queue.
//   find_package(npq REQUIRED COMPONENTS memory)
//   target_link_libraries(your_program PRIVATE npq::memory)
#include <npq/memory/factory.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace memory = npq::memory;
namespace ops = npq::ops;

constexpr std::int64_t kGraphs = 16, kNodes = 8, kHidden = 32, kSteps = 5;

struct Gnn : torch::nn::Module {
  explicit Gnn(const std::string& name)
      : queue(memory::make_memory(memory::memory_options(name), /*z_width=*/kHidden,
                                  /*message_width=*/kHidden)),
        weights(ops::initialise(queue->parameter_specs(), /*seed=*/1, torch::kFloat)) {
    for (auto [parameter, tensor] : weights) {  // the optimiser sees them beside your own
      std::replace(parameter.begin(), parameter.end(), '.', '_');
      register_parameter(parameter, tensor);
    }
    register_module("encode", encode);
    register_module("message", message);
    register_module("update", update);
    register_module("decode", decode);
  }

  /// numbers [B, N, 1], adjacency [B, N, N] -> one answer per node [B, N, 1]
  torch::Tensor forward(const torch::Tensor& numbers, const torch::Tensor& adjacency) {
    auto state = queue->initial_state({.batch = kGraphs, .nodes = kNodes, .steps = kSteps});
    torch::Tensor hidden;
    for (std::int64_t t = 0; t < kSteps; ++t) {
      const auto z = encode(t == 0 ? numbers : torch::zeros_like(numbers));  // what nodes know now
      const auto step = queue->step(weights, z, state);                      // 1. pop, then push
      const auto heard = torch::matmul(adjacency, message(z)) + step.messages;  // 2. join
      hidden = torch::relu(update(torch::cat({z, heard}, -1)));
      state = step.next_state;  // 3. the next step sees what this one left
    }
    return decode(hidden);
  }

  std::unique_ptr<memory::Memory> queue;
  ops::ParameterStore weights;
  torch::nn::Linear encode{1, kHidden}, message{kHidden, kHidden}, update{2 * kHidden, kHidden},
      decode{kHidden, 1};
};

int main() {
  // Gradients may become too small for a normal float, and such numbers are slow on many machines.
  at::globalContext().setFlushDenormal(true);
  torch::manual_seed(1);
  Gnn gnn("npq_w_p");  // any name of the catalog: npq_m, virtual_node, ntm, ...
  torch::optim::Adam optimiser(gnn.parameters(), /*learning rate=*/3e-3);
  double error = 0;
  for (int update = 0; update < 300; ++update) {  // every node must name its graph's mean number
    const auto numbers = torch::rand({kGraphs, kNodes, 1});
    const auto adjacency = (torch::rand({kGraphs, kNodes, kNodes}) < 0.3).to(torch::kFloat);
    const auto wanted = numbers.mean(1, /*keepdim=*/true).expand_as(numbers);
    const auto loss = (gnn.forward(numbers, adjacency) - wanted).abs().mean();
    optimiser.zero_grad();
    loss.backward();
    optimiser.step();
    error = 0.95 * error + 0.05 * loss.item<double>();
  }
  std::printf("mean error %.3f; without a memory 0.08 is the best\n", error);
  return error < 0.04 ? 0 : 1;
}
