#include "app/engine/speed/kernel_cases.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "npq/memory/catalog.h"
#include "npq/memory/factory.h"
#include "npq/nn/decoders/decoder.h"
#include "npq/nn/processors/attention.h"
#include "npq/nn/processors/pgn.h"

namespace npq::app {
namespace {

constexpr std::int64_t kChannels = 3, kTriplets = 8;

at::Tensor normal(at::IntArrayRef shape, double scale = 1) { return at::randn(shape) * scale; }

/// Pairs of nodes: their values, and the rows of their encoder.
std::vector<at::Tensor> pairs_of(std::int64_t batch, std::int64_t nodes) {
  return {normal({batch, nodes, nodes, kChannels}), normal({kChannels, kCaseHidden})};
}

nn::EdgeFeatures encoded_edges(const std::vector<at::Tensor>& in) {
  return {.values = in[0], .rows = in[1], .bias = at::zeros({kCaseHidden})};
}

nn::Features features(const std::vector<at::Tensor>& in) {
  return {.node = {},
          .edge = encoded_edges(in),
          .graph = at::zeros({in[0].size(0), kCaseHidden}),
          .adjacency = {}};
}

ops::ParameterStore fresh(const ops::ParameterSpecs& specs) {
  return ops::initialise(specs, 1, at::kFloat);
}

/// Inputs: the pairs, m1(z), m2(z).
KernelCall messages(std::int64_t batch, std::int64_t nodes) {
  const nn::ProcessorOptions options{.name = "mpnn"};
  const auto store = fresh(nn::Pgn::parameters(options, kCaseHidden));
  const auto processor = std::make_shared<nn::Pgn>(options, store);
  auto inputs = pairs_of(batch, nodes);
  for (int k = 0; k < 2; ++k) inputs.push_back(normal({batch, nodes, kCaseHidden}, 0.7));
  return {
      inputs, store,
      [processor](const auto& in) { return processor->messages(in[2], in[3], features(in), {}); },
      2 * 2 * static_cast<double>(batch * nodes * nodes * kCaseHidden * kCaseHidden)};
}

/// With the layers on the nodes. Inputs: the pairs, z.
template <class Processor>
KernelCall attention(const char* name, std::int64_t width, std::int64_t batch, std::int64_t nodes) {
  const nn::ProcessorOptions options{.name = name};
  const auto store = fresh(Processor::parameters(options, kCaseHidden));
  const auto processor = std::make_shared<Processor>(options, store);
  const auto pairs =
      static_cast<double>(batch * nodes * nodes * (width * (kChannels + 2) + kCaseHidden));
  auto inputs = pairs_of(batch, nodes);
  inputs.push_back(normal({batch, nodes, 2 * kCaseHidden}));
  return {
      inputs, store,
      [processor](const auto& in) { return processor->attend({.values = in[2]}, features(in)); },
      2 * (pairs +
           static_cast<double>(batch * nodes * 2 * kCaseHidden * (2 * width + kCaseHidden)))};
}

/// Inputs: the pairs, then what the decoder's layers on nodes give.
KernelCall pointers(clrs::Location location, double flops_per_logit, std::int64_t batch,
                    std::int64_t nodes) {
  const auto probe = clrs::output("pi", location, clrs::Type::Pointer);
  const auto store = fresh(nn::decoder_parameters(probe, kCaseHidden, kCaseHidden));
  const auto decoder = std::make_shared<nn::Decoder>(probe, /*masked=*/false, store);
  const auto layers = decoder->node_layers();
  KernelCall call{pairs_of(batch, nodes), store, {}, 0};
  for (std::size_t k = 0; k < layers.size(); ++k)
    call.inputs.push_back(normal({batch, nodes, kCaseHidden}));
  call.operation = [decoder, layers](const std::vector<at::Tensor>& in) {
    nn::DecoderInput input{.node = {.values = in[2]},
                           .edge = encoded_edges(in),
                           .triplets = {},
                           .graph = {},
                           .adjacency = {}};
    for (std::size_t k = 0; k < layers.size(); ++k)
      input.products[layers[k]->weight.unsafeGetTensorImpl()] = in[k + 2];
    return (*decoder)(input);
  };
  const auto logits = batch * nodes * nodes * (location == clrs::Location::Edge ? nodes : 1);
  call.flops = flops_per_logit * static_cast<double>(logits * kCaseHidden);
  return call;
}

KernelCall triplets(std::int64_t batch, std::int64_t nodes) {
  const std::vector<std::int64_t> shape = {batch, nodes, nodes, kTriplets};
  return {{normal(shape), normal(shape)},
          {},
          [](const auto& in) { return nn::max_of_sums(in[0], in[1]); },
          2.0 * static_cast<double>(batch * nodes * nodes * nodes * kTriplets)};
}

/// A step with as many slots as there are nodes. Inputs: z, the elements, their strengths.
KernelCall memory_step(const std::string& name, bool per_node, std::int64_t batch,
                       std::int64_t nodes) {
  const auto options = memory::memory_options(name);
  const std::shared_ptr<const memory::Memory> memory =
      memory::make_memory(options, 2 * kCaseHidden, kCaseHidden);
  const auto store = fresh(memory->parameter_specs());
  auto empty = memory->initial_state({.batch = batch, .nodes = nodes, .steps = nodes});
  if (empty.has("written")) empty.set("written", at::zeros({batch, nodes}, at::kLong));
  const auto width = options.width_for(2 * kCaseHidden);
  std::vector<std::int64_t> slots = {batch};
  if (per_node) slots.push_back(nodes);
  slots.push_back(nodes);
  const auto strengths = at::rand(slots) + 0.1;
  slots.push_back(width);
  return {{normal({batch, nodes, 2 * kCaseHidden}), normal(slots, 0.5), strengths},
          store,
          [memory, store, empty](const auto& in) {
            auto state = empty;
            state.set("v", in[1]);
            if (state.has("s")) state.set("s", in[2]);
            const auto step = memory->step(store, in[0], state);
            return at::cat({step.messages.flatten(), step.next_state.tensor("v").flatten()});
          },
          2.0 * static_cast<double>(batch * nodes * nodes * width)};
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm().clamp_min(1e-30)).item<double>();
}

struct Results {
  at::Tensor result;
  std::vector<at::Tensor> gradients;  // of each input, and of all parameters side by side
};

Results results(const KernelCall& call, ops::Path path) {
  const ops::ScopedPath scoped(path);
  const auto leaves = leaves_of(call, true);
  const auto result = call.operation(leaves);
  result.square().sum().backward();
  Results found{result.detach(), {}};
  for (const auto& x : leaves) found.gradients.push_back(x.grad());
  std::vector<at::Tensor> parameters;
  for (const auto& entry : call.parameters)
    parameters.push_back(call.parameters.grad(entry.name).flatten());
  if (!parameters.empty()) found.gradients.push_back(at::cat(parameters));
  call.parameters.zero_grad();
  return found;
}

}  // namespace

const std::vector<KernelCase>& kernel_cases() {
  using clrs::Location;
  static const std::vector<KernelCase> cases = {
      {"messages", messages},
      {"pointers",
       [](auto B, auto N) { return pointers(Location::Node, 2 * (kChannels + 2), B, N); }},
      {"edge pointers", [](auto B, auto N) { return pointers(Location::Edge, 3, B, N); }, true},
      {"triplets", triplets, true},
      {"gat", [](auto B, auto N) { return attention<nn::Gat>("gat_full", 1, B, N); }},
      {"gatv2",
       [](auto B, auto N) { return attention<nn::Gatv2>("gatv2_full", kCaseHidden, B, N); }},
      {"npq_w", [](auto B, auto N) { return memory_step("npq_w", false, B, N); }},
      {"npq_m", [](auto B, auto N) { return memory_step("npq_m", false, B, N); }},
      {"stack", [](auto B, auto N) { return memory_step("stack", true, B, N); }}};
  return cases;
}

Apart apart(const KernelCall& call) {
  const auto fused = results(call, ops::Path::Fused), composed = results(call, ops::Path::Composed);
  Apart found{.result = distance(fused.result, composed.result)};
  for (std::size_t i = 0; i < fused.gradients.size(); ++i) {
    const auto &left = fused.gradients[i], &right = composed.gradients[i];
    if (left.defined() && right.defined() && right.norm().item<double>() > 1e-10)
      found.gradient = std::max(found.gradient, distance(left, right));
  }
  return found;
}

std::vector<at::Tensor> leaves_of(const KernelCall& call, bool backward) {
  std::vector<at::Tensor> leaves;
  for (const auto& x : call.inputs) leaves.push_back(x.detach().clone().requires_grad_(backward));
  return leaves;
}

void run_once(const KernelCall& call, const std::vector<at::Tensor>& leaves, ops::Path path,
              bool backward) {
  const ops::ScopedPath scoped(path);
  if (!backward) {
    const at::NoGradGuard no_grad;
    call.operation(leaves);
    return;
  }
  call.operation(leaves).sum().backward();
  for (const auto& x : leaves) x.mutable_grad() = at::Tensor();
  call.parameters.zero_grad();
}

}  // namespace npq::app
