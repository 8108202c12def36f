#include "npq/clrs/trace/sample.h"

#include <algorithm>
#include <utility>

#include "npq/base/error.h"

namespace npq::clrs {
namespace {

std::size_t places(const Probe& probe, int nodes) {
  switch (probe.location) {
    case Location::Node:
      return nodes;
    case Location::Edge:
      return static_cast<std::size_t>(nodes) * nodes;
    case Location::Graph:
      return 1;
  }
  NPQ_ASSERT(false);
}

}  // namespace

std::size_t frame_bytes(const Probe& probe, int nodes) {
  switch (probe.type) {
    case Type::Scalar:
      return 8 * places(probe, nodes);
    case Type::Mask:
    case Type::Categorical:
      return places(probe, nodes);
    case Type::MaskOne:
      return 2;
    case Type::Pointer:
    case Type::ShouldBePermutation:
      return 2 * places(probe, nodes);
    case Type::PermutationPointer:
      break;  // exists in batches only
  }
  NPQ_ASSERT(false);
}

int frames_kept(const Probe& probe, int length) {
  return probe.stage == Stage::Hint && !probe.constant ? length : 1;
}

std::vector<std::size_t> offsets(const Spec& spec, int nodes, int length) {
  std::vector<std::size_t> begins;
  begins.reserve(spec.size() + 1);
  std::size_t at = 0;
  for (const auto& probe : spec) {
    begins.push_back(at);
    at += frame_bytes(probe, nodes) * frames_kept(probe, length);
    at = (at + 7) / 8 * 8;
  }
  begins.push_back(at);
  return begins;
}

template <class Out>
void Series::expand(int t, Out* out) const {
  switch (probe_->type) {
    case Type::Scalar: {
      const auto values = frame<double>(t);
      std::transform(values.begin(), values.end(), out,
                     [](double v) { return static_cast<Out>(v); });
      return;
    }
    case Type::Mask: {
      const auto values = frame<std::int8_t>(t);
      std::copy(values.begin(), values.end(), out);
      return;
    }
    case Type::Pointer:
    case Type::ShouldBePermutation: {
      const auto values = frame<std::uint16_t>(t);
      std::copy(values.begin(), values.end(), out);
      return;
    }
    case Type::MaskOne: {
      std::fill_n(out, elements(*probe_, nodes_), Out{0});
      out[frame<std::uint16_t>(t)[0]] = Out{1};
      return;
    }
    case Type::Categorical: {
      std::fill_n(out, elements(*probe_, nodes_), Out{0});
      for (const std::uint8_t entry : frame<std::uint8_t>(t)) {
        out[entry & 0x7f] = entry & 0x80 ? Out{-1} : Out{1};
        out += probe_->classes;
      }
      return;
    }
    case Type::PermutationPointer:
      break;
  }
  NPQ_ASSERT(false);
}

template void Series::expand(int, double*) const;
template void Series::expand(int, float*) const;
template void Series::expand(int, std::int64_t*) const;

Sample::Sample(const Spec& spec, int nodes, int length, std::shared_ptr<const std::byte[]> bytes)
    : spec_(&spec), nodes_(nodes), length_(length), bytes_(std::move(bytes)) {}

std::size_t Sample::bytes() const { return offsets(*spec_, nodes_, length_).back(); }

Series Sample::series(std::size_t probe) const {
  const Probe& found = (*spec_)[probe];
  return {found, nodes_, found.stage == Stage::Hint ? length_ : 1,
          bytes_.get() + offsets(*spec_, nodes_, length_)[probe]};
}

Series Sample::series(std::string_view name) const {
  const auto found = std::find_if(spec_->begin(), spec_->end(),
                                  [&](const Probe& probe) { return probe.name == name; });
  if (found == spec_->end()) throw Error("this sample has no '{}'", name);
  return series(found - spec_->begin());
}

}  // namespace npq::clrs
