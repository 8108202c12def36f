#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "npq/clrs/spec/spec.h"

namespace npq::nn {

/// Tensors by the names of their probes.
using TensorMap = std::map<std::string, at::Tensor>;

/// The tensor of that name; an Error that names the probe where there is none.
const at::Tensor& find_value(const TensorMap& values, const clrs::Probe& probe);

/// Axes of one sample of the probe that count places: 1 for nodes, 2 for edges, 0 for the graph.
int place_axes(clrs::Location location);

/// Whether values of this type are node indices, one per place.
bool is_pointer(clrs::Type type);

/// A pointer as rows over the nodes: [B,N] -> [B,N,N] with rows[b,i,j] = 1 if i points to j. Soft
/// pointers, which are rows already, and all other types come back as they are, in `dtype`.
at::Tensor as_rows(const clrs::Probe& probe, const at::Tensor& value, std::int64_t nodes,
                   at::ScalarType dtype);

}  // namespace npq::nn
