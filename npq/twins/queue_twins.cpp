// Popping from the queue by the fused kernel beside the paper's equations in torch operations, and
// a step of the neural stack likewise.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

#include "npq/memory/catalog.h"
#include "npq/memory/neural_stack.h"
#include "npq/memory/priority_queue.h"
#include "npq/memory/queue_pop.h"
#include "npq/ops/path.h"
#include "npq/twins/twins.h"

namespace npq::twins {
namespace {

constexpr std::int64_t kHidden = 128;

/// One pop of every node from a queue of as many elements as there are nodes. Inputs: z, the
/// elements, their strengths.
Twin twin(const char* name) {
  return {name, [name = std::string(name)](std::int64_t batch, std::int64_t nodes) {
            const auto options = memory::memory_options(name);
            const memory::PriorityQueue queue(options, 2 * kHidden, kHidden);
            const auto width = options.width_for(2 * kHidden);
            const auto store = initialise(queue.parameter_specs(), 1, at::kFloat);
            auto empty = queue.initial_state({.batch = batch, .nodes = nodes, .steps = nodes});
            empty.set("written", at::zeros({batch, nodes}, at::kLong));
            const auto with = [store, empty, options](auto pop) {
              return [store, empty, options, pop](const std::vector<at::Tensor>& in) {
                auto state = empty;
                state.set("v", in[1]);
                state.set("s", in[2]);
                const auto popped = pop(options.queue, store, in[0], state);
                return at::cat({popped.message.flatten(), popped.total.flatten()});
              };
            };
            return Work{{numbers({batch, nodes, 2 * kHidden}, 1),
                         numbers({batch, nodes, width}, 0.5), at::rand({batch, nodes}) + 0.1},
                        with(memory::fused_pop),
                        with(memory::pop),
                        2.0 * static_cast<double>(batch * nodes * nodes * width)};
          }};
}

/// One step of a stack at every node, with as many slots as there are nodes. Inputs: z, the
/// elements, their strengths.
Twin stack_twin() {
  return {
      "stack", [](std::int64_t batch, std::int64_t nodes) {
        const auto options = memory::memory_options("stack");
        const memory::NeuralStack stack(memory::NeuralStack::End::Newest, options, 2 * kHidden,
                                        kHidden);
        const auto width = options.width_for(2 * kHidden);
        const auto store = initialise(stack.parameter_specs(), 1, at::kFloat);
        const auto empty = stack.initial_state({.batch = batch, .nodes = nodes, .steps = nodes});
        const auto by = [store, empty, stack](ops::Path path) {
          return [store, empty, stack, path](const std::vector<at::Tensor>& in) {
            const ops::ScopedPath scoped(path);
            auto state = empty;
            state.set("v", in[1]);
            state.set("s", in[2]);
            const auto step = stack.step(store, in[0], state);
            return at::cat({step.messages.flatten(), step.next_state.tensor("v").flatten()});
          };
        };
        return Work{{numbers({batch, nodes, 2 * kHidden}, 1),
                     numbers({batch, nodes, nodes, width}, 0.5), at::rand({batch, nodes, nodes})},
                    by(ops::Path::Fused),
                    by(ops::Path::Composed),
                    2.0 * static_cast<double>(batch * nodes * nodes * width)};
      }};
}

}  // namespace

std::vector<Twin> queue_twins() { return {twin("npq_w"), twin("npq_m"), stack_twin()}; }

}  // namespace npq::twins
