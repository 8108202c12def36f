#include "npq/train/measuring/microscope.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/clrs/trace/true_queue.h"
#include "npq/memory/priority_queue.h"
#include "npq/ops/path.h"
#include "npq/train/scoring/score_json.h"
#include "npq/train/scoring/scoring.h"

namespace npq::train {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostNumbers = 64 * 64;   // of one picture: values of F numbers are left out
constexpr std::int64_t kMostInAll = 256 * 1024;  // of one kind of picture, over all steps

/// Four digits are enough for a picture. JSON has no NaN.
json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

json nested(const at::Tensor& tensor) {
  if (tensor.dim() == 0) return rounded(tensor.item<double>());
  auto list = json::array();
  for (std::int64_t i = 0; i < tensor.size(0); ++i) list.push_back(nested(tensor.select(0, i)));
  return list;
}

json of_sample(const at::Tensor& tensor) { return nested(tensor.select(0, 0).to(at::kDouble)); }

/// The same of what a memory did. Strips of nodes have a row for each node where others have the
/// batch, which is 1 here.
json of_step(const at::Tensor& tensor) {
  return tensor.size(0) == 1 ? of_sample(tensor) : nested(tensor.squeeze(-1).to(at::kDouble));
}

bool fits(const at::Tensor& tensor, std::size_t steps) {
  return tensor.defined() && tensor.dim() >= 1 && tensor.dim() <= 3 &&
         tensor.numel() <= kMostNumbers &&
         tensor.numel() * static_cast<std::int64_t>(steps) <= kMostInAll;
}

/// A memory with slots: what each holds before the step.
struct Slots {
  at::Tensor strength;       // [S]; undefined where elements have none
  std::vector<int> written;  // [S], the step; -1: empty
};

Slots slots_of(const memory::MemoryState& state) {
  Slots slots;
  const auto written = state.tensor("written").select(0, 0).contiguous();
  const auto occupied = memory::PriorityQueue::occupied(state).select(0, 0).contiguous();
  for (std::int64_t j = 0; j < written.size(0); ++j)
    slots.written.push_back(
        occupied.data_ptr<bool>()[j] ? static_cast<int>(written.data_ptr<std::int64_t>()[j]) : -1);
  if (state.has("s")) slots.strength = state.tensor("s").select(0, 0);
  return slots;
}

json to_json(const Slots& slots) {
  json all = {{"written", slots.written}};
  if (slots.strength.defined()) all["strength"] = nested(slots.strength.to(at::kDouble));
  return all;
}

const at::Tensor* find(const memory::MemoryStep& step, std::string_view name) {
  for (const auto& [key, tensor] : step.seen)
    if (key == name) return &tensor;
  return nullptr;
}

json health_json(const memory::MemoryHealth& health) {
  auto all = json::object();
  const auto put = [&](const char* name, const at::Tensor& value) {
    if (value.defined()) all[name] = rounded(value.select(0, 0).item<double>());
  };
  put("alive", health.alive);
  put("strength", health.strength);
  put("drained", health.drained);
  put("saturated", health.saturated);
  return all;
}

/// What the memory did in one of `steps` steps; `before` is its state at the beginning, nothing at
/// first.
json memory_json(const memory::MemoryStep& step, const memory::MemoryState* before,
                 std::size_t steps) {
  json all = {{"health", health_json(step.health)}};
  if (step.messages.defined()) all["message"] = of_sample(step.messages.norm(2, -1));
  for (const auto& [name, tensor] : step.seen)
    if (fits(tensor, steps)) all["seen"][name] = of_step(tensor);
  if (step.next_state.has("written")) {
    if (before != nullptr) all["before"] = to_json(slots_of(*before));
    all["after"] = to_json(slots_of(step.next_state));
  } else if (step.next_state.has("s") && fits(step.next_state.tensor("s"), steps)) {
    all["strengths"] = of_sample(step.next_state.tensor("s"));
  }
  return all;
}

/// How far attention follows the true queue, over all steps.
class Follower {
 public:
  Follower(const clrs::Algorithm& algorithm, const clrs::Sample& sample) {
    if (clrs::has_true_queue(algorithm.name)) queue_ = clrs::true_queue(algorithm.name, sample);
  }
  bool knows() const { return queue_.has_value(); }
  /// What orders the true queue; empty where there is none, or it goes by the order of coming in.
  std::string_view key() const { return knows() ? queue_->key : ""; }

  /// The true queue that the step from record k to record k + 1 finds, and the one it leaves.
  void describe(std::size_t k, json& step) const {
    if (!knows()) return;
    step["queue"] = queue_->order[k];
    step["entered"] = queue_->entered[k];
    if (!key().empty()) {
      auto& keys = step["keys"] = json::array();
      for (const double key : queue_->keys[k]) keys.push_back(rounded(key));
    }
    step["queue_after"] = queue_->order.at(k + 1);
  }

  /// The step from record k to record k + 1 reads what was written at records before k.
  void watch(int k, const memory::MemoryStep& step, const memory::MemoryState* before) {
    const auto* attention = find(step, "attention");
    if (!knows() || before == nullptr || attention == nullptr || !before->has("written")) return;
    clrs::QueueView view{.attention = {}, .written = slots_of(*before).written};
    const auto sums = attention->select(0, 0).sum(0).to(at::kDouble).contiguous();
    view.attention.assign(sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel());
    const auto found = clrs::agreement(*queue_, k, view);
    compared_ += found.comparable;
    top_ += found.top;
    correlated_ += found.correlated;
    if (found.correlated) correlation_ += found.correlation;
  }

  json to_json() const {
    json all = {{"compared", compared_}, {"correlated", correlated_}};
    all["top"] = compared_ > 0 ? rounded(static_cast<double>(top_) / compared_) : json();
    all["correlation"] = correlated_ > 0 ? rounded(correlation_ / correlated_) : json();
    return all;
  }

 private:
  std::optional<clrs::TrueQueue> queue_;
  int compared_ = 0, top_ = 0, correlated_ = 0;
  double correlation_ = 0;
};

json inputs_json(const clrs::Sample& sample) {
  auto all = json::object();
  for (std::size_t k = 0; k < sample.spec().size(); ++k) {
    const auto series = sample.series(k);
    if (series.probe().stage != clrs::Stage::Input) continue;
    std::vector<double> values(
        static_cast<std::size_t>(clrs::elements(series.probe(), sample.nodes())));
    series.expand(0, values.data());
    all[series.probe().name] = nested_json(series.probe(), sample.nodes(), values);
  }
  return all;
}

json probes_json(const clrs::Spec& spec) {
  auto all = json::array();
  for (const auto& probe : spec)
    all.push_back({{"name", probe.name},
                   {"stage", clrs::name_of(probe.stage)},
                   {"location", clrs::name_of(probe.location)},
                   {"type", clrs::name_of(probe.type)}});
  return all;
}

}  // namespace

json look_closely(const Network& network, const clrs::Sample& sample) {
  const at::NoGradGuard no_grad;
  const ops::ScopedPath readable(ops::Path::Composed);  // the kernels keep nothing to look at
  const clrs::Sample* one[] = {&sample};
  const auto batch = network.task.batch(one);
  const auto unrolled = network.model.unroll(batch, {.mode = model::UnrollOptions::Mode::Evaluate,
                                                     .keep_steps = true,
                                                     .watch = memory::Watch::Everything});
  const bool hints = network.model.options().decodes_hints();
  const auto scored = score_samples(network, {&sample, 1}, {.batch = 1, .hints = hints}).front();
  auto all = to_json(network.task.spec(), scored);
  all["score"] = rounded(sample_scores(network.task.spec(), {&scored, 1}).front());
  all["inputs"] = inputs_json(sample);
  all["probes"] = probes_json(network.task.spec());

  Follower follower(network.task.algorithm(), sample);
  auto& steps = all["steps"] = json::array();
  const memory::MemoryState* before = nullptr;
  for (std::size_t k = 0; k < unrolled.steps.size(); ++k) {
    auto step = json::object();
    if (unrolled.steps[k].next.memory) {
      const auto& remembered = unrolled.steps[k].remembered;
      follower.watch(static_cast<int>(k), remembered, before);
      step["memory"] = memory_json(remembered, before, unrolled.steps.size());
      before = &remembered.next_state;
    }
    follower.describe(k, step);
    steps.push_back(std::move(step));
  }
  if (follower.knows()) all["agreement"] = follower.to_json();
  if (!follower.key().empty()) all["key"] = follower.key();
  return all;
}

}  // namespace npq::train
