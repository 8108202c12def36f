#include "npq/base/percentile.h"

#include <algorithm>
#include <cmath>

#include "npq/base/error.h"

namespace npq {

double percentile(std::vector<double> values, double share) {
  NPQ_ASSERT(!values.empty());
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(rank));
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (rank - std::floor(rank)) * (values[above] - values[below]);
}

}  // namespace npq
