#include "npq/memory/factory.h"

#include <cstdlib>

#include "npq/base/error.h"
#include "npq/memory/oracle.h"
#include "npq/memory/priority_queue.h"
#include "npq/memory/rivals/controls.h"
#include "npq/memory/rivals/gated.h"
#include "npq/memory/rivals/neural_deque.h"
#include "npq/memory/rivals/neural_stack.h"
#include "npq/memory/rivals/ntm.h"
#include "npq/memory/rivals/virtual_node.h"

namespace npq::memory {

std::unique_ptr<Memory> make_memory(const MemoryOptions& options, std::int64_t z_width,
                                    std::int64_t message_width) {
  options.validate();
  const auto make = [&]<class M>(std::type_identity<M>) -> std::unique_ptr<Memory> {
    return std::make_unique<M>(options, z_width, message_width);
  };
  const auto stack = [&](NeuralStack::End end) {
    return std::make_unique<NeuralStack>(end, options, z_width, message_width);
  };
  switch (find_row(options.name).kind) {
    case Kind::None:
      return nullptr;
    case Kind::PriorityQueue:
      return make(std::type_identity<PriorityQueue>());
    case Kind::Stack:
      return stack(NeuralStack::End::Newest);
    case Kind::Queue:
      return stack(NeuralStack::End::Oldest);
    case Kind::Deque:
      return make(std::type_identity<NeuralDeque>());
    case Kind::Lstm:
      return make(std::type_identity<Lstm>());
    case Kind::Gru:
      return make(std::type_identity<Gru>());
    case Kind::VirtualNode:
      return make(std::type_identity<VirtualNode>());
    case Kind::Ntm:
      return make(std::type_identity<Ntm>());
    case Kind::Oracle:
      return make(std::type_identity<Oracle>());
    case Kind::Constant:
      return make(std::type_identity<Constant>());
    case Kind::GlobalMean:
      return make(std::type_identity<GlobalMean>());
  }
  NPQ_ASSERT(!"every kind has a memory");
  return nullptr;
}

MemoryOptions match_parameters(const MemoryOptions& options, const MemoryOptions& target,
                               std::int64_t z_width, std::int64_t message_width) {
  const Kind kind = find_row(options.name).kind;
  if (kind == Kind::None) return options;
  if (!has_state(kind))
    throw UsageError(
        "memory '{}' keeps nothing and has no width that could be matched; leave "
        "--match-parameters out",
        options.name);
  const auto count = [&](const MemoryOptions& of) {
    const auto memory = make_memory(of, z_width, message_width);
    return memory ? ops::count_elements(memory->parameter_specs()) : 0;
  };
  const std::int64_t wanted = count(target);
  MemoryOptions matched = options;
  std::int64_t best = -1;
  for (std::int64_t width = 1;; ++width) {
    MemoryOptions tried = options;
    tried.width = width;
    const std::int64_t distance = std::abs(count(tried) - wanted);
    // Counts grow with the width: once the distance does not fall, the closest one is behind us.
    if (best >= 0 && distance >= best) return matched;
    best = distance;
    matched = tried;
  }
}

}  // namespace npq::memory
