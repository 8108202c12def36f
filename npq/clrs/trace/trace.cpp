#include "npq/clrs/trace/trace.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "npq/base/error.h"

namespace npq::clrs {
namespace {

Value::Kind kind_of(const Probe& probe) {
  switch (probe.type) {
    case Type::Scalar:
      return Value::Kind::Scalars;
    case Type::Mask:
      return Value::Kind::Mask;
    case Type::MaskOne:
      return Value::Kind::OneHot;
    case Type::Categorical:
      return Value::Kind::Classes;
    case Type::Pointer:
    case Type::ShouldBePermutation:
      return Value::Kind::Pointers;
    case Type::PermutationPointer:
      break;
  }
  NPQ_ASSERT(false);
}

int nodes_of(const Probe& probe, const Value& value) {
  NPQ_ASSERT(probe.location == Location::Node && probe.type != Type::MaskOne);
  return static_cast<int>(value.bytes() / frame_bytes(probe, 1));
}

}  // namespace

Trace::Trace(const Spec& spec) : spec_(&spec), frames_(spec.size()) {}

bool Trace::shows(std::string_view name) const {
  return std::any_of(spec_->begin(), spec_->end(), [&](const Probe& p) { return p.name == name; });
}

void Trace::input(NamedValues values) {
  for (auto& frames : frames_)
    frames.clear();  // an algorithm that threw has left a half run behind
  length_ = 0;
  nodes_ = nodes_of(spec_->front(), values.begin()->value);
  record(Stage::Input, values);
}

void Trace::hint(NamedValues values) {
  record(Stage::Hint, values);
  ++length_;
}

void Trace::output(NamedValues values) { record(Stage::Output, values); }

void Trace::record(Stage stage, NamedValues values) {
  auto value = values.begin();
  for (std::size_t k = 0; k < spec_->size(); ++k) {
    const Probe& probe = (*spec_)[k];
    if (probe.stage != stage) continue;
    NPQ_ASSERT(value != values.end() && value->name == probe.name);
    NPQ_ASSERT(value->value.kind() == kind_of(probe));
    const std::size_t bytes = value->value.bytes();
    NPQ_ASSERT(bytes == frame_bytes(probe, nodes_));
    auto& frames = frames_[k];
    const auto* data = static_cast<const std::byte*>(value->value.data());
    if (probe.constant && length_ > 0)
      NPQ_ASSERT(std::memcmp(frames.data(), data, bytes) == 0);
    else
      frames.insert(frames.end(), data, data + bytes);
    ++value;
  }
  NPQ_ASSERT(value == values.end());
}

Sample Trace::finish() {
  const auto begins = offsets(*spec_, nodes_, length_);
  const auto bytes = arena_.take(begins.back());
  for (std::size_t k = 0; k < spec_->size(); ++k) {
    NPQ_ASSERT(frames_[k].size() ==
               frame_bytes((*spec_)[k], nodes_) * frames_kept((*spec_)[k], length_));
    std::memcpy(bytes.get() + begins[k], frames_[k].data(), frames_[k].size());
    frames_[k].clear();
  }
  return {*spec_, std::exchange(nodes_, 0), std::exchange(length_, 0), bytes};
}

}  // namespace npq::clrs
