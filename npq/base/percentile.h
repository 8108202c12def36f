#pragma once
#include <vector>

namespace npq {

/// The value below which `share` of the values lie, linear between neighbouring ranks (numpy's
/// default). `values` must not be empty.
double percentile(std::vector<double> values, double share);

}  // namespace npq
