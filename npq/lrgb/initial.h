#pragma once
#include <string>

#include "npq/lrgb/options.h"
#include "npq/ops/parameter_spec.h"

// How the authors' programs draw their first weights. Free of torch.
namespace npq::lrgb {

/// [in, out], uniform within sqrt(6 / (in + out)) times `gain`.
ParameterSpec glorot(const std::string& name, std::int64_t in, std::int64_t out, double gain = 1);
ParameterSpec constant(const std::string& name, std::int64_t width, double value);

/// Lin(in -> out) as its network begins: Glorot times sqrt(2) with biases 0, but PyTorch's own
/// numbers (both within 1 / sqrt(in)) in the published GINE baseline.
void add_head_linear(ParameterSpecs& specs, const ModelOptions& options, const std::string& name,
                     std::int64_t in, std::int64_t out);

/// A memory's parameters as peptide networks draw them: every matrix Glorot times sqrt(2).
ParameterSpecs redrawn(ParameterSpecs specs);

}  // namespace npq::lrgb
