#pragma once
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "npq/memory/factory.h"
#include "npq/memory/flags.h"
#include "npq/memory/nodes.h"
#include "tests/memory/support.h"

// Which memories the contract suite runs over, and on what.
namespace npq::test {

inline constexpr std::int64_t B = 4, N = 5, Z = 6, Mw = 3, T = 6;

/// The simplest memory there is: tells every node the sum of all averages so far.
class AverageMemory : public Memory {
 public:
  ops::ParameterSpecs parameter_specs() const override {
    ops::ParameterSpecs specs;
    ops::add_linear(specs, "memory/m", Z, Mw);
    return specs;
  }
  MemoryState initial_state(const MemoryBatch& batch) const override {
    MemoryState state;
    state.tensors = {{"sum", at::zeros({batch.batch, Z}, batch.dtype)}};
    remember_nodes(state, batch);
    return state;
  }
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch) const override {
    MemoryStep result{.next_state = state};
    const auto average = without_padding(z, state).sum(1) / node_count(z, state, 2);
    result.next_state.set("sum", state.tensor("sum") + average);
    result.messages = ops::linear(parameters, "memory/m", state.tensor("sum"))
                          .unsqueeze(1)
                          .expand({z.size(0), z.size(1), Mw});
    return result;
  }
};

/// Whether a slot that was never written shows in the messages.
inline bool unused_slots_show(const MemoryOptions& options) {
  const Kind kind = find_row(options.name).kind;
  return kind == Kind::Ntm || (kind == Kind::PriorityQueue && !options.queue.mask_second_softmax);
}

struct Case {
  std::string name;
  std::function<std::unique_ptr<Memory>(std::optional<std::int64_t> slots)> make;
  bool has_slots = false;
  bool unused_slots_show = false;
  bool exact_gradient = true;
  bool has_state = true;
};

inline Case row_case(const std::string& name, const MemoryOptions& options) {
  const bool estimates =  // a straight-through gradient is not the derivative, on purpose
      options.queue.straight_through && options.queue.read == PriorityQueueOptions::Read::Max;
  return {name,
          [options](std::optional<std::int64_t> slots) {
            MemoryOptions with_slots = options;
            with_slots.slots = slots;
            return make_memory(with_slots, Z, Mw);
          },
          has_slots(find_row(options.name).kind),
          unused_slots_show(options),
          !estimates,
          has_state(find_row(options.name).kind)};
}

inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& row : catalog()) {
    if (row.kind == Kind::None) continue;  // nothing to test
    auto options = memory_options(row.name);
    cases.push_back(row_case(options.name, options));
    if (row.kind == Kind::Stack || row.kind == Kind::Queue || row.kind == Kind::Deque) {
      options.scope = Scope::Graph;
      cases.push_back(row_case(options.name + "_per_graph", options));
    }
    if (row.kind == Kind::GlobalMean) {
      options.message_pool = Pool::Sum;
      cases.push_back(row_case("global_sum", options));
    }
  }
  // Choices that no row makes.
  const auto with = [&](const char* name, const char* row, const char* flag, const char* value) {
    auto options = memory_options(row);
    set_flag(options, flag, value);
    cases.push_back(row_case(name, options));
  };
  with("npq_w_unit", "npq_w", "message-size", "unit");
  with("npq_w_plus_unit", "npq_w_plus", "message-size", "unit");
  with("npq_w_push_max", "npq_w", "push-pool", "max");
  with("npq_w_sv_push_softmax", "npq_w_sv", "push-pool", "softmax");
  with("npq_w_single_softmax", "npq_w", "attention", "single");
  with("npq_m_p_sv_single_softmax", "npq_m_p_sv", "attention", "single");
  with("npq_w_normed", "npq_w", "message-norm", "layer");
  cases.push_back({"average", [](auto) { return std::make_unique<AverageMemory>(); }});
  return cases;
}

/// Every memory gets a schedule; only the oracle reads it. Step t takes node (b + t) mod N and
/// changes the keys of all others.
inline MemoryBatch some_batch(std::int64_t batch = B, std::int64_t nodes = N) {
  const auto t = at::arange(T, at::kLong), b = at::arange(batch, at::kLong);
  const auto order = (b.unsqueeze(1) + t).remainder(nodes);
  return {.batch = batch,
          .nodes = nodes,
          .steps = T,
          .dtype = at::kDouble,
          .schedule_order = order.masked_fill(t.ge(nodes), -1),
          .schedule_children = at::ones({batch, nodes, nodes}, at::kDouble)};
}

}  // namespace npq::test
