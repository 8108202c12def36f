#include "npq/ops/parameter_spec.h"

#include <cmath>

namespace npq::ops {

using Init = ParameterSpec::Init;

std::int64_t ParameterSpec::elements() const {
  std::int64_t count = 1;
  for (const auto dim : shape) count *= dim;
  return count;
}

void add_linear(ParameterSpecs& specs, const std::string& name, std::int64_t in, std::int64_t out,
                double bias) {
  add_scaled_linear(specs, name, in, out, 1 / std::sqrt(static_cast<double>(in)));
  specs.back().value = bias;
}

void add_scaled_linear(ParameterSpecs& specs, const std::string& name, std::int64_t in,
                       std::int64_t out, double factor) {
  specs.push_back({name + ".w", {in, out}, Init::TruncatedNormal, factor});
  specs.push_back({name + ".b", {out}, Init::Constant, 0});
}

void add_layer_norm(ParameterSpecs& specs, const std::string& name, std::int64_t width) {
  specs.push_back({name + ".scale", {width}, Init::Constant, 1});
  specs.push_back({name + ".offset", {width}, Init::Constant, 0});
}

std::int64_t count_elements(const ParameterSpecs& specs, std::string_view prefix) {
  std::int64_t count = 0;
  for (const auto& spec : specs) {
    if (spec.name.starts_with(prefix)) count += spec.elements();
  }
  return count;
}

}  // namespace npq::ops
