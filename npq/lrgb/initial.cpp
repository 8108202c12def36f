#include "npq/lrgb/initial.h"

#include <ATen/ops/empty.h>

#include <cmath>
#include <numbers>

#include "npq/ops/stream.h"

namespace npq::lrgb {

InitialSpec glorot(const std::string& name, std::int64_t in, std::int64_t out, double gain) {
  return {name, {in, out}, 0, gain * std::sqrt(6 / static_cast<double>(in + out))};
}

InitialSpec constant(const std::string& name, std::int64_t width, double value) {
  return {name, {width}, value, 0};
}

void add_head_linear(InitialSpecs& specs, const ModelOptions& options, const std::string& name,
                     std::int64_t in, std::int64_t out) {
  const bool published_gine =
      options.base == Base::Gine && options.layer != Layer::Ref && !options.has_memory();
  if (published_gine) {
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    specs.push_back({name + ".w", {in, out}, 0, bound});
    specs.push_back({name + ".b", {out}, 0, bound});
  } else {
    specs.push_back(glorot(name + ".w", in, out, std::numbers::sqrt2));
    specs.push_back(constant(name + ".b", out, 0));
  }
}

InitialSpecs redrawn(const ops::ParameterSpecs& specs) {
  InitialSpecs drawn;
  for (const auto& spec : specs) {
    if (spec.shape.size() == 2)
      drawn.push_back(glorot(spec.name, spec.shape[0], spec.shape[1], std::numbers::sqrt2));
    else
      drawn.push_back({spec.name, spec.shape, spec.value, 0});
  }
  return drawn;
}

ops::ParameterStore draw(const InitialSpecs& specs, std::uint64_t seed, at::ScalarType dtype) {
  ops::ParameterStore store;
  for (const auto& spec : specs) {
    ops::Stream stream(ops::derive_seed(ops::derive_seed(seed, "init"), spec.name));
    const auto value = at::empty(spec.shape, at::kDouble);
    auto* numbers = value.data_ptr<double>();
    for (std::int64_t k = 0; k < value.numel(); ++k)
      numbers[k] = spec.centre + spec.bound * (2 * stream.uniform() - 1);
    store.add(spec.name, value.to(dtype));
  }
  return store;
}

ops::ParameterSpecs shapes_of(const InitialSpecs& specs) {
  ops::ParameterSpecs shapes;
  for (const auto& spec : specs)
    shapes.push_back({spec.name, spec.shape, ops::ParameterSpec::Init::Constant, spec.centre});
  return shapes;
}

}  // namespace npq::lrgb
