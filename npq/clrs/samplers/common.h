#pragma once
#include <span>
#include <string_view>

#include "npq/clrs/samplers/samplers.h"

// What the samplers share; not for use outside this folder.
namespace npq::clrs {

/// Where uniform numbers are drawn from: the caller's ends where given, else the sampler's own.
struct Range {
  double low, high;
};
Range range_of(const SamplerOptions& options, double default_low = 0, double default_high = 1);

/// Checks the options, and that a length is usable: at least `minimum` (which `reason` explains)
/// and few enough nodes for a pointer.
void check(const SamplerOptions& options, int length, int minimum, std::string_view reason);

/// Cuts every number off behind options.truncate_decimals decimals, if asked for; towards zero.
double truncated(const SamplerOptions& options, double value);
Scalars truncated(const SamplerOptions& options, Scalars values);

/// numpy's sum of contiguous doubles, whose order of additions shows in the last bit.
double pairwise_sum(std::span<const double> values);

}  // namespace npq::clrs
