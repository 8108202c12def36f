#include "npq/memory/ablation.h"

#include <algorithm>
#include <sstream>

#include "npq/base/names.h"

namespace npq::memory {

std::vector<Ablation> ablations_in(const std::string& list) {
  std::vector<Ablation> ablations;
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');) {
    const auto found = std::ranges::find(kAblations, name);
    if (found == std::end(kAblations)) throw unknown_name("ablation", name, kAblations);
    const auto ablation = static_cast<Ablation>(found - kAblations);
    if (ablation != Ablation::None && std::ranges::count(ablations, ablation) == 0)
      ablations.push_back(ablation);
  }
  return ablations;
}

}  // namespace npq::memory
