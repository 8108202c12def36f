#include "npq/clrs/spec/spec.h"

#include <utility>

#include "npq/base/error.h"

namespace npq::clrs {

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::Input:
      return "input";
    case Stage::Hint:
      return "hint";
    case Stage::Output:
      return "output";
  }
  NPQ_ASSERT(false);
}

std::string_view name_of(Location location) {
  switch (location) {
    case Location::Node:
      return "node";
    case Location::Edge:
      return "edge";
    case Location::Graph:
      return "graph";
  }
  NPQ_ASSERT(false);
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::Scalar:
      return "scalar";
    case Type::Mask:
      return "mask";
    case Type::MaskOne:
      return "mask_one";
    case Type::Categorical:
      return "categorical";
    case Type::Pointer:
      return "pointer";
    case Type::ShouldBePermutation:
      return "should_be_permutation";
    case Type::PermutationPointer:
      return "permutation_pointer";
  }
  NPQ_ASSERT(false);
}

Probe Probe::of_classes(int count) const {
  Probe probe = *this;
  probe.classes = count;
  return probe;
}

Probe Probe::as_int64() const {
  Probe probe = *this;
  probe.number = Number::Int64;
  return probe;
}

Probe Probe::as_float64() const {
  Probe probe = *this;
  probe.number = Number::Float64;
  return probe;
}

Probe Probe::constant_in_time() const {
  Probe probe = *this;
  probe.constant = true;
  return probe;
}

namespace {

Probe make(std::string name, Stage stage, Location location, Type type) {
  const bool index = type == Type::Pointer || type == Type::ShouldBePermutation;
  return {
      std::move(name), stage, location, type, 0, index ? Number::Int64 : Number::Float64, false};
}

}  // namespace

Probe input(std::string name, Location location, Type type) {
  return make(std::move(name), Stage::Input, location, type);
}
Probe hint(std::string name, Location location, Type type) {
  return make(std::move(name), Stage::Hint, location, type);
}
Probe output(std::string name, Location location, Type type) {
  return make(std::move(name), Stage::Output, location, type);
}

std::vector<std::int64_t> shape(const Probe& probe, int nodes) {
  std::vector<std::int64_t> dims;
  if (probe.location != Location::Graph) dims.push_back(nodes);
  if (probe.location == Location::Edge) dims.push_back(nodes);
  if (probe.type == Type::Categorical) dims.push_back(probe.classes);
  if (probe.type == Type::PermutationPointer) dims.push_back(nodes);
  return dims;
}

std::int64_t elements(const Probe& probe, int nodes) {
  std::int64_t count = 1;
  for (const auto dim : shape(probe, nodes)) count *= dim;
  return count;
}

}  // namespace npq::clrs
