#include "npq/ops/parameter_store.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/ranges.h>

#include <utility>

#include "npq/base/error.h"
#include "npq/ops/stream.h"

namespace npq::ops {

void ParameterStore::add(const std::string& name, at::Tensor value) {
  if (!index_.emplace(name, entries_.size()).second) {
    throw Error("parameter '{}' was given twice; names must differ", name);
  }
  entries_.push_back({name, value.detach().requires_grad_()});
}

bool ParameterStore::contains(std::string_view name) const {
  return index_.find(name) != index_.end();
}

const at::Tensor& ParameterStore::at(std::string_view name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    throw Error(
        "no parameter '{}' among the {} given; they belong to another algorithm, processor or "
        "memory",
        name, entries_.size());
  }
  return entries_[found->second].value;
}

std::int64_t ParameterStore::elements() const {
  std::int64_t count = 0;
  for (const auto& entry : entries_) count += entry.value.numel();
  return count;
}

void ParameterStore::zero_grad() const {
  for (const auto& entry : entries_) entry.value.mutable_grad().reset();
}

at::Tensor ParameterStore::grad(std::string_view name) const {
  const auto& value = at(name);
  return value.grad().defined() ? value.grad() : at::zeros_like(value);
}

ParameterStore initialise(const ParameterSpecs& specs, std::uint64_t seed, at::ScalarType dtype) {
  ParameterStore store;
  for (const auto& spec : specs) {
    auto value = at::empty(spec.shape, at::kDouble);
    if (spec.init == ParameterSpec::Init::Constant) {
      value.fill_(spec.value);
    } else {
      Stream stream(derive_seed(derive_seed(seed, "init"), spec.name));
      double* numbers = value.data_ptr<double>();
      for (std::int64_t i = 0; i < value.numel(); ++i) {
        numbers[i] = spec.value * stream.truncated_normal();
      }
    }
    store.add(spec.name, value.to(dtype));
  }
  return store;
}

void check_parameters(const ParameterSpecs& specs, const ParameterStore& store) {
  for (const auto& spec : specs) {
    const auto& value = store.at(spec.name);
    if (value.sizes() != c10::IntArrayRef(spec.shape)) {
      throw Error(
          "parameter '{}' has shape [{}], but these options need [{}]; use the options it was "
          "trained with",
          spec.name, fmt::join(value.sizes(), ", "), fmt::join(spec.shape, ", "));
    }
  }
}

}  // namespace npq::ops
