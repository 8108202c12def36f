#pragma once
#include <ATen/core/Tensor.h>

#include <string>

#include "npq/lrgb/graphs.h"
#include "npq/lrgb/initial.h"
#include "npq/lrgb/node_values.h"
#include "npq/lrgb/norms.h"
#include "npq/ops/parameter_store.h"

// One round of messages between neighbours, in the three bases, and what surrounds it.
// [lrgb: Dwivedi et al. 2022, Long Range Graph Benchmark]
namespace npq::lrgb {

/// What a layer is given beside its parameters.
struct LayerInput {
  NodeValues x;        // [n, D]
  at::Tensor bonds;    // [m, D], encoded; GINE
  at::Tensor message;  // [n, D] from the memory; undefined: none
};

/// The parameters of the layer called `name` ("layer/0/"), with the weights' bounds as the authors'
/// programs draw them.
InitialSpecs layer_specs(const ModelOptions& options, const std::string& name);

/// Whether the layers normalise over the batch.
bool has_batch_norm(const ModelOptions& options);

///   GCN    a_i = sum_{j in N(i) + i} W x_j / sqrt(d_i d_j),  d: neighbours and itself
///   GATv2  a_i = sum_{j in N(i) + i} softmax_j(att . LeakyReLU_0.2(l_j + r_i)) l_j,
///          l = W_l x, r = W_r x; Ref has biases in both and one behind
///   GINE   a_i = sum_{j in N(i)} relu(x_j + e_ji)
/// With the memory's message R_i:
///   Plain, Full:  GCN, GATv2  x_i <- unit(relu(norm(a_i + R_i)))
///                 GINE        x_i <- x_i + relu(MLP(x_i + a_i + R_i))
///   Ref:          GCN, GATv2  x_i <- a_i + R_i
///                 GINE        x_i <- x_i + relu(a_i + R_i)
at::Tensor layer(const ModelOptions& options, const ops::ParameterStore& parameters,
                 const std::string& name, const Graphs& graphs, const LayerInput& input, Mode mode,
                 BatchStatistics& statistics);

}  // namespace npq::lrgb
