#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npq/ops/parameter_spec.h"

namespace npq::ops {

/// The numbers of a network under the names that checkpoints use (`processor/m1.w`,
/// `encoder/pos.0.b`), in a fixed order. Layers hold the same tensors, not copies: an optimiser
/// that writes into a tensor here changes the network.
class ParameterStore {
 public:
  struct Entry {
    std::string name;
    at::Tensor value;
  };

  /// Takes the tensor as a leaf that collects gradients. A name can be added once.
  void add(const std::string& name, at::Tensor value);

  bool contains(std::string_view name) const;
  const at::Tensor& at(std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  std::int64_t elements() const;

  void zero_grad() const;
  /// The gradient that backward() left, zeros where the loss does not depend on the parameter.
  at::Tensor grad(std::string_view name) const;

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// Fresh numbers. Each parameter depends on (seed, its name) alone: a network with one part more
/// has the same numbers in all others. Drawn in double, then rounded to `dtype`.
ParameterStore initialise(const ParameterSpecs& specs, std::uint64_t seed, at::ScalarType dtype);

/// Throws an Error unless the store has every parameter of `specs` in its shape.
void check_parameters(const ParameterSpecs& specs, const ParameterStore& store);

}  // namespace npq::ops
