#include "npq/lrgb/layers.h"

#include <ATen/TensorOperators.h>

#include "npq/ops/linear.h"
#include "npq/ops/sparse/edge_attention_op.h"

namespace npq::lrgb {
namespace {

at::Tensor gcn(const ops::ParameterStore& parameters, const std::string& name, const Graphs& graphs,
               const NodeValues& x) {
  return graphs.neighbours * x.times(parameters.at(name + "w"));
}

at::Tensor gatv2(Layer layer, const ops::ParameterStore& parameters, const std::string& name,
                 const Graphs& graphs, const NodeValues& x) {
  const bool biased = layer == Layer::Ref;
  const auto transform = [&](const std::string& part) {
    return biased ? x.through(ops::Linear(parameters, name + part))
                  : x.times(parameters.at(name + part + ".w"));
  };
  const auto sum = ops::edge_attention(graphs.heard, transform("left"), transform("right"),
                                       parameters.at(name + "att"));
  return biased ? sum + parameters.at(name + "b") : sum;
}

at::Tensor gine(const Graphs& graphs, const LayerInput& input) {
  return graphs.receivers.transposed() * (graphs.senders * input.x.dense() + input.bonds).relu();
}

at::Tensor with_message(const at::Tensor& sum, const LayerInput& input) {
  return input.message.defined() ? sum + input.message : sum;
}

}  // namespace

bool has_batch_norm(const ModelOptions& options) {
  return options.base != Base::Gine && options.layer != Layer::Ref;
}

InitialSpecs layer_specs(const ModelOptions& options, const std::string& name) {
  const auto D = options.width();
  const bool ref = options.layer == Layer::Ref;
  InitialSpecs specs;
  switch (options.base) {
    case Base::Gcn:
      specs.push_back(glorot(name + "w", D, D));
      break;
    case Base::Gatv2:
      for (const char* part : {"left", "right"}) {
        specs.push_back(glorot(name + part + ".w", D, D));
        if (ref) specs.push_back(constant(name + part + ".b", D, 0));
      }
      specs.push_back(glorot(name + "att", 1, D));
      specs.back().shape = {D};
      if (ref) specs.push_back(constant(name + "b", D, 0));
      break;
    case Base::Gine:
      if (ref) break;  // the authors' program makes an MLP here and never uses it
      add_head_linear(specs, options, name + "mlp0", D, D);
      add_head_linear(specs, options, name + "mlp1", D, D);
      break;
  }
  if (has_batch_norm(options)) {
    specs.push_back(constant(name + "bn.w", D, 1));
    specs.push_back(constant(name + "bn.b", D, 0));
  }
  return specs;
}

at::Tensor layer(const ModelOptions& options, const ops::ParameterStore& parameters,
                 const std::string& name, const Graphs& graphs, const LayerInput& input, Mode mode,
                 BatchStatistics& statistics) {
  const bool ref = options.layer == Layer::Ref;
  if (options.base == Base::Gine) {
    const auto sum = with_message(gine(graphs, input), input);
    const auto& x = input.x.dense();
    if (ref) return x + sum.relu();
    const auto inner = ops::linear(parameters, name + "mlp0", x + sum).relu();
    return x + ops::linear(parameters, name + "mlp1", inner).relu();
  }
  const auto sum = with_message(options.base == Base::Gcn
                                    ? gcn(parameters, name, graphs, input.x)
                                    : gatv2(options.layer, parameters, name, graphs, input.x),
                                input);
  if (ref) return sum;
  const auto &scale = parameters.at(name + "bn.w"), &offset = parameters.at(name + "bn.b");
  if (mode == Mode::Train) return norm_relu_unit(sum, scale, offset, statistics);
  return unit_rows(batch_norm(sum, scale, offset, mode, statistics).relu());
}

}  // namespace npq::lrgb
