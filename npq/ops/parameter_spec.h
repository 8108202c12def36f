#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a network is made of, before any number exists: names, shapes and how they begin. Free of
// torch.
namespace npq::ops {

struct ParameterSpec {
  enum class Init { TruncatedNormal, Constant };

  std::string name;
  std::vector<std::int64_t> shape;
  Init init;
  double value;  // the constant, or the factor of normal numbers truncated to [-2, 2]

  std::int64_t elements() const;
};

using ParameterSpecs = std::vector<ParameterSpec>;

/// `name.w` [in, out], truncated normal times 1/sqrt(in), and `name.b` [out], constant: as Haiku's
/// Linear begins.
void add_linear(ParameterSpecs& specs, const std::string& name, std::int64_t in, std::int64_t out,
                double bias = 0);
/// The same with another factor of the weights.
void add_scaled_linear(ParameterSpecs& specs, const std::string& name, std::int64_t in,
                       std::int64_t out, double factor);
/// `name.scale` and `name.offset` [width]: the identity at first.
void add_layer_norm(ParameterSpecs& specs, const std::string& name, std::int64_t width);

/// Numbers in all parameters whose name begins with `prefix`.
std::int64_t count_elements(const ParameterSpecs& specs, std::string_view prefix = {});

}  // namespace npq::ops
