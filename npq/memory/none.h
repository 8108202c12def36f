#pragma once
#include "npq/memory/memory.h"

namespace npq::memory {

/// No memory: no parameters, no state, no message; no row joins the processor's.
class NoMemory : public Memory {
 public:
  ops::ParameterSpecs parameter_specs() const override { return {}; }
  MemoryState initial_state(const MemoryBatch&) const override { return {}; }
  MemoryStep step(const ops::ParameterStore&, const at::Tensor&, const MemoryState& state,
                  Watch) const override {
    return {.messages = {}, .delivery = Delivery::Nobody, .next_state = state};
  }
};

}  // namespace npq::memory
