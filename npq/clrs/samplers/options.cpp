#include <cmath>
#include <cstdint>

#include "npq/base/error.h"
#include "npq/clrs/samplers/common.h"

namespace npq::clrs {
namespace {

constexpr int kMostDecimals = 15;  // all decimals that a double keeps

void check_finite(std::string_view name, double value) {
  if (!std::isfinite(value)) throw UsageError("{} is {}; give a finite number", name, value);
}

void check_order(double low, double high) {
  if (!(low < high)) {
    throw UsageError("low is {} and high is {}; low must be below high", low, high);
  }
}

}  // namespace

void SamplerOptions::validate() const {
  if (low) check_finite("low", *low);
  if (high) check_finite("high", *high);
  if (low && high) check_order(*low, *high);
  for (const double probability : p) {
    if (!(probability > 0 && probability <= 1)) {
      throw UsageError("edge probability p is {}; give numbers above 0 and at most 1", probability);
    }
  }
  if (k < 1) throw UsageError("k is {} communities; give 1 or more", k);
  if (!(eps >= 0 && eps <= 1)) throw UsageError("eps is {}; give a probability, 0 to 1", eps);
  if (length_2 && *length_2 < 1) {
    throw UsageError("length_2 is {}; the second string needs 1 character or more", *length_2);
  }
  if (chars < 1 || chars > 4) {
    throw UsageError("chars is {}; an alphabet has 1 to 4 characters", chars);
  }
  if (length_needle && *length_needle == 0) {
    throw UsageError("the needle has length 0; give 1 or more, or -m to draw a length from 1 to m");
  }
  if (max_deadline && *max_deadline < 1) {
    throw UsageError("max_deadline is {}; give 1 or more", *max_deadline);
  }
  check_finite("origin_x", origin_x);
  check_finite("origin_y", origin_y);
  if (!(std::isfinite(radius) && radius > 0)) {
    throw UsageError("radius is {}; give a finite number above 0", radius);
  }
  if (truncate_decimals && (*truncate_decimals < 0 || *truncate_decimals > kMostDecimals)) {
    throw UsageError("{} decimals are asked for; a number keeps 0 to {}", *truncate_decimals,
                     kMostDecimals);
  }
}

Range range_of(const SamplerOptions& options, double default_low, double default_high) {
  const Range range{options.low.value_or(default_low), options.high.value_or(default_high)};
  check_order(range.low, range.high);  // one end of the caller's may pass the other, a default
  return range;
}

void check(const SamplerOptions& options, int length, int minimum, std::string_view reason) {
  options.validate();
  if (length < minimum) {
    throw UsageError("length is {}, but {}; give {} or more", length, reason, minimum);
  }
  if (length >= kMostNodes) {
    throw UsageError("length is {}, but a sample has at most {} nodes; give less", length,
                     kMostNodes);
  }
}

double truncated(const SamplerOptions& options, double value) {
  if (!options.truncate_decimals) return value;
  double scale = 1;
  for (int i = 0; i < *options.truncate_decimals; ++i) scale *= 10;  // exact up to 10^22
  return std::trunc(value * scale) / scale;
}

Scalars truncated(const SamplerOptions& options, Scalars values) {
  if (options.truncate_decimals) {
    for (double& value : values) value = truncated(options, value);
  }
  return values;
}

}  // namespace npq::clrs
