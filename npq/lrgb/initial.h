#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "npq/lrgb/options.h"
#include "npq/ops/parameter_store.h"

// How the authors' programs draw their first weights: uniform numbers, unlike those of the CLRS
// networks.
namespace npq::lrgb {

/// A parameter whose numbers begin between centre - bound and centre + bound.
struct InitialSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  double centre = 0, bound = 0;
};
using InitialSpecs = std::vector<InitialSpec>;

/// [in, out], within sqrt(6 / (in + out)) times `gain`.
InitialSpec glorot(const std::string& name, std::int64_t in, std::int64_t out, double gain = 1);
InitialSpec constant(const std::string& name, std::int64_t width, double value);

/// Lin(in -> out) as its network begins: Glorot times sqrt(2) with biases 0, but PyTorch's own
/// numbers (both within 1 / sqrt(in)) in the published GINE baseline.
void add_head_linear(InitialSpecs& specs, const ModelOptions& options, const std::string& name,
                     std::int64_t in, std::int64_t out);

/// A memory's parameters as peptide networks draw them: every matrix Glorot times sqrt(2).
InitialSpecs redrawn(const ops::ParameterSpecs& specs);

/// Fresh numbers. Each parameter depends on (seed, its name) alone; drawn in double, then rounded.
ops::ParameterStore draw(const InitialSpecs& specs, std::uint64_t seed, at::ScalarType dtype);

/// Names and shapes alone.
ops::ParameterSpecs shapes_of(const InitialSpecs& specs);

}  // namespace npq::lrgb
