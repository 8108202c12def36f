#include "npq/train/measuring/memory_health.h"

#include <ATen/core/grad_mode.h>

#include <cmath>

namespace npq::train {
namespace {

/// What is not a number does not count: an empty queue has no strength to lose a part of.
class Mean {
 public:
  void add(const at::Tensor& values) {
    if (!values.defined()) return;
    const auto numbers = values.detach().to(at::kDouble).contiguous();
    const double* number = numbers.data_ptr<double>();
    for (std::int64_t k = 0; k < numbers.numel(); ++k) {
      if (std::isnan(number[k])) continue;
      sum_ += number[k];
      ++count_;
    }
  }
  void put(std::map<std::string, double>& into, const char* name) const {
    if (count_ > 0) into[name] = sum_ / static_cast<double>(count_);
  }

 private:
  double sum_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

std::map<std::string, double> memory_health(const Network& network,
                                            const model::TensorBatch& batch) {
  const at::NoGradGuard no_grad;
  const auto unrolled = network.model.unroll(batch, {.mode = model::UnrollOptions::Mode::Evaluate,
                                                     .keep_hints = false,
                                                     .watch = memory::Watch::Health});
  return mean_health(unrolled.health);
}

std::map<std::string, double> mean_health(const std::vector<memory::MemoryHealth>& steps) {
  Mean alive, strength, drained, saturated;
  for (const auto& step : steps) {
    alive.add(step.alive);
    strength.add(step.strength);
    drained.add(step.drained);
    saturated.add(step.saturated);
  }
  std::map<std::string, double> health;
  alive.put(health, "alive");
  strength.put(health, "strength");
  drained.put(health, "drained");
  saturated.put(health, "saturated");
  return health;
}

}  // namespace npq::train
