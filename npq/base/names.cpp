#include "npq/base/names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace npq {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, diagonal + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2);
  for (const auto candidate : known) {
    // A long name's beginning ("topological") counts as near, however much is missing.
    const bool prefix = name.size() >= 3 && candidate.starts_with(name);
    const std::size_t distance = prefix ? 1 : edit_distance(name, candidate);
    if (distance < best_distance || (best.empty() && distance == best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

UsageError unknown_name(std::string_view kind, std::string_view name,
                        std::span<const std::string_view> known) {
  const std::string nearest = nearest_name(name, known);
  return UsageError("no {} '{}'; {}known: {}", kind, name,
                    nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                    fmt::join(known, ", "));
}

}  // namespace npq
