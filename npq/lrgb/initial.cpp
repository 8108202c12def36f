#include "npq/lrgb/initial.h"

#include <cmath>
#include <numbers>

namespace npq::lrgb {
namespace {

using Init = ParameterSpec::Init;

double glorot_bound(std::int64_t in, std::int64_t out) {
  return std::sqrt(6 / static_cast<double>(in + out));
}

}  // namespace

ParameterSpec glorot(const std::string& name, std::int64_t in, std::int64_t out, double gain) {
  return {name, {in, out}, Init::Uniform, gain * glorot_bound(in, out)};
}

ParameterSpec constant(const std::string& name, std::int64_t width, double value) {
  return {name, {width}, Init::Constant, value};
}

void add_head_linear(ParameterSpecs& specs, const ModelOptions& options, const std::string& name,
                     std::int64_t in, std::int64_t out) {
  const bool published_gine =
      options.base == Base::Gine && options.layer != Layer::Ref && !options.has_memory();
  if (published_gine) {
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    specs.push_back({name + ".w", {in, out}, Init::Uniform, bound});
    specs.push_back({name + ".b", {out}, Init::Uniform, bound});
  } else {
    specs.push_back(glorot(name + ".w", in, out, std::numbers::sqrt2));
    specs.push_back(constant(name + ".b", out, 0));
  }
}

ParameterSpecs redrawn(ParameterSpecs specs) {
  for (auto& spec : specs)
    if (spec.shape.size() == 2)
      spec = glorot(spec.name, spec.shape[0], spec.shape[1], std::numbers::sqrt2);
  return specs;
}

}  // namespace npq::lrgb
