#include "npq/train/loop/subject.h"

#include <nlohmann/json.hpp>

namespace npq::train {

nlohmann::json Subject::facts() const { return nlohmann::json::object(); }

NamedTensors weights_of(const Subject& subject) {
  auto tensors = tensors_of(subject.store());
  for (auto& statistic : subject.statistics()) tensors.push_back(std::move(statistic));
  return tensors;
}

}  // namespace npq::train
