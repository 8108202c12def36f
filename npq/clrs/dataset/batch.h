#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "npq/clrs/spec/spec.h"
#include "npq/clrs/trace/sample.h"

namespace npq::clrs {

/// A named array of a batch. Values are doubles whatever the probe's dtype in files: all of them
/// are exact.
struct Array {
  Probe probe;
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

/// Several samples side by side: inputs and outputs [B, ...], hints [T, B, ...] with zeros behind
/// each sample's end.
struct Batch {
  std::vector<Array> inputs, hints, outputs;
  std::vector<double> lengths;  // [B], the steps of each sample

  std::int64_t size() const { return static_cast<std::int64_t>(lengths.size()); }
  const Array& input(std::string_view name) const;
  const Array& hint(std::string_view name) const;
  const Array& output(std::string_view name) const;
};

/// `steps`: the time axis of the hints; later hints of a longer sample are left out. All samples
/// have one spec and size.
Batch make_batch(std::span<const Sample* const> samples, int steps);

}  // namespace npq::clrs
