// The fused queue beside the composed one, which is the specification: npq/memory.
#include "npq/ops/queue/queue_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/memory/priority_queue.h"
#include "npq/memory/queue_pop.h"
#include "npq/memory/queue_push.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using Q = memory::PriorityQueueOptions;
using test::compare;
using test::normal;

constexpr std::int64_t B = 4, N = 5, S = 6, F = 7, Z = 3, K = 4;

/// z, v, s before a sigmoid, and the weights of a1, a2, a, s_pop.
std::vector<at::Tensor> some_inputs() {
  return {normal({B, N, Z}, 1, 1), normal({B, S, F}, 1, 2), normal({B, S}, 1, 3),
          normal({Z, K}, 1, 4),    normal({K}, 1, 5),       normal({F, K}, 1, 6),
          normal({K}, 1, 7),       normal({K, 1}, 3, 8),    normal({1}, 1, 9),
          normal({Z, 1}, 1, 10),   normal({1}, 1, 11)};
}

/// Graph 0 has an empty queue, graph 1 a full one, the others some of both.
at::Tensor occupied_slots() {
  auto occupied = test::coin_flips({B, S}, 0.6, 3);
  occupied[0].fill_(false);
  occupied[1].fill_(true);
  return occupied;
}

memory::MemoryState state_of(const std::vector<at::Tensor>& in, const Q& options) {
  const auto type = in[0].scalar_type();
  const auto occupied = occupied_slots();
  memory::MemoryState state;
  state.tensors.emplace_back("v", in[1] * occupied.unsqueeze(-1).to(type));
  if (options.pop == Q::Pop::Consume)
    state.tensors.emplace_back("s", (in[2].sigmoid() + 0.01) * occupied.to(type));
  state.tensors.emplace_back(
      "written", at::full({B, S}, 3, at::kLong).masked_fill(occupied.logical_not(), -1));
  if (options.write_slot == Q::WriteSlot::PreviousStep)
    state.tensors.emplace_back("write_slot", at::full({B}, 2, at::kLong));
  state.integers = {{"step", 5}};
  return state;
}

ops::ParameterStore parameters_of(const std::vector<at::Tensor>& in) {
  ops::ParameterStore store;
  const char* names[] = {"a1.w", "a1.b", "a2.w", "a2.b", "a.w", "a.b", "s_pop.w", "s_pop.b"};
  for (int k = 0; k < 8; ++k) store.add(std::string("memory/") + names[k], in[3 + k]);
  return store;
}

at::Tensor affine_of(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
  return at::matmul(x, w) + b;
}

kernels::QueuePopShape pop_choices(const Q& options) {
  return {.read = options.read,
          .reader = options.reader,
          .pop = options.pop,
          .grant = options.grant,
          .mask_second_softmax = options.mask_second_softmax,
          .straight_through = options.straight_through};
}

FusedPopped fused(const Q& options, const std::vector<at::Tensor>& in) {
  const auto state = state_of(in, options);
  const auto v = state.tensor("v");
  QueuePopArguments a{.choices = pop_choices(options),
                      .asked = affine_of(in[0], in[3], in[4]),
                      .held = affine_of(v, in[5], in[6]),
                      .combine = in[7],
                      .v = v,
                      .occupied = memory::PriorityQueue::occupied(state)};
  if (options.pop == Q::Pop::Consume) {
    const auto each = affine_of(in[0], in[9], in[10]).squeeze(-1);  // [B, N]
    const bool graph = options.reader == Q::Reader::Graph;
    a.strength = (graph ? each.sum(1, /*keepdim=*/true) : each).sigmoid();
    a.s = state.tensor("s");
  }
  return fused_pop(a);
}

/// Value and total in one row, so that one weighted sum feels both.
at::Tensor together(const at::Tensor& value, const at::Tensor& total) {
  return total.defined() ? at::cat({value.flatten(), total.flatten()}) : value.flatten();
}

std::vector<Q> pop_options() {
  std::vector<Q> all;
  for (int bits = 0; bits < 64; ++bits) {
    Q options;
    options.heads = K;
    if (bits & 1) options.read = Q::Read::Max;
    if (bits & 2) options.reader = Q::Reader::Graph;
    if (bits & 4) options.pop = Q::Pop::Keep;
    if (bits & 8) options.grant = Q::Grant::Epsilon;
    if (bits & 16) options.mask_second_softmax = false;
    if (bits & 32) options.straight_through = true;
    if (options.straight_through && options.read != Q::Read::Max) continue;
    if (options.pop == Q::Pop::Keep && options.grant == Q::Grant::Epsilon) continue;
    all.push_back(options);
  }
  return all;
}

/// The gradient of input i, which entry i - first of the store is.
auto hidden_in(const ops::ParameterStore& store, std::size_t first) {
  return [&store, first](std::size_t input) {
    if (input < first || input >= first + store.size()) return at::Tensor();
    return store.grad((store.begin() + (input - first))->name);
  };
}

TEST(FusedPop, EqualsTheComposedQueueInValueAndGradientInEveryChoice) {
  for (const auto& options : pop_options()) {
    ops::ParameterStore store;
    const auto distances = compare(
        [&](const auto& in) {
          const auto popped = fused(options, in);
          return together(popped.value, popped.total);
        },
        [&](const auto& in) {
          store = parameters_of(in);
          store.add("memory/m.w", at::eye(F, in[0].options()));
          store.add("memory/m.b", at::zeros({F}, in[0].options()));
          const auto popped = memory::pop(options, store, in[0], state_of(in, options));
          return together(popped.value, popped.total);
        },
        some_inputs(), hidden_in(store, 3));
    const auto what =
        fmt::format("read {} reader {} pop {} grant {} mask {} straight {}", int(options.read),
                    int(options.reader), int(options.pop), int(options.grant),
                    options.mask_second_softmax, options.straight_through);
    // Three softmaxes of S = 6 terms against float64. Unmasked, an empty queue subtracts 1e9 from
    // every logit: float32 keeps none of their digits, float64 does; that gradient is not compared.
    EXPECT_LT(distances.result, options.mask_second_softmax ? 1e-5 : 1e-2) << what;
    if (options.mask_second_softmax) {
      EXPECT_LT(distances.worst_gradient(), 1e-4) << what;
    }
  }
}

kernels::QueuePushShape push_choices(const Q& options) {
  return {.step = 5,
          .pop = options.pop,
          .slot_write = options.slot_write,
          .full_queue = options.full_queue,
          .write_slot = options.write_slot};
}

/// z, v, s, total, v.w, v.b, s_push.w, s_push.b
std::vector<at::Tensor> push_inputs() {
  return {normal({B, N, Z}, 1, 1),      normal({B, S, F}, 1, 2), normal({B, S}, 1, 3),
          normal({B, S}, 0.5, 4).abs(), normal({Z, F}, 1, 5),    normal({F}, 1, 6),
          normal({Z, 1}, 0.2, 7),       normal({1}, 0.2, 8)};
}

std::vector<Q> push_options() {
  std::vector<Q> all;
  for (const auto pop : {Q::Pop::Consume, Q::Pop::Keep}) {
    for (const auto write : {Q::SlotWrite::Overwrite, Q::SlotWrite::Add}) {
      for (const auto full : {Q::FullQueue::Weakest, Q::FullQueue::Oldest, Q::FullQueue::Add}) {
        for (const auto slot :
             {Q::WriteSlot::AfterDeletion, Q::WriteSlot::PreviousStep, Q::WriteSlot::Rotate}) {
          Q options;
          options.pop = pop, options.slot_write = write, options.full_queue = full,
          options.write_slot = slot;
          all.push_back(options);
        }
      }
    }
  }
  return all;
}

TEST(FusedPush, EqualsTheComposedQueueInStateAndGradientInEveryChoice) {
  for (const auto& options : push_options()) {
    const bool consume = options.pop == Q::Pop::Consume;
    ops::ParameterStore store;
    at::Tensor fused_written, composed_written, fused_slot, composed_slot;
    const auto distances = compare(
        [&](const auto& in) {
          const auto state = state_of(in, options);
          QueuePushArguments a{.choices = push_choices(options)};
          const auto v = state.tensor("v"), new_v = affine_of(in[0], in[4], in[5]).sum(1).tanh();
          a.rows = {v, v.narrow(2, 0, 3) * 2};  // rows of two kinds
          a.new_rows = {new_v, new_v.narrow(1, 0, 3) * 2};
          a.written = state.tensor("written");
          if (consume) {
            a.s = state.tensor("s"), a.total = in[3];
            a.new_s = affine_of(in[0], in[6], in[7]).sum(1).sigmoid();
          }
          if (state.has("write_slot")) a.write_slot = state.tensor("write_slot");
          const auto pushed = fused_push(a);
          fused_written = pushed.written, fused_slot = pushed.write_slot;
          return together(at::cat(pushed.rows, 2), pushed.s);
        },
        [&](const auto& in) {
          store = {};
          store.add("memory/v.w", in[4]), store.add("memory/v.b", in[5]);
          store.add("memory/s_push.w", in[6]), store.add("memory/s_push.b", in[7]);
          const auto pushed = memory::push(options, store, in[0], consume ? in[3] : at::Tensor(),
                                           state_of(in, options));
          const auto& next = pushed.next_state;
          composed_written = next.tensor("written");
          if (next.has("write_slot")) composed_slot = next.tensor("write_slot");
          const auto v = next.tensor("v");
          return together(at::cat({v, v.narrow(2, 0, 3) * 2}, 2),
                          consume ? next.tensor("s") : at::Tensor());
        },
        push_inputs(), hidden_in(store, 4));
    const auto what =
        fmt::format("pop {} write {} full {} slot {}", int(options.pop), int(options.slot_write),
                    int(options.full_queue), int(options.write_slot));
    EXPECT_LT(distances.result, 1e-6) << what;  // sums of N * Z = 15 terms against float64
    EXPECT_LT(distances.worst_gradient(), 1e-5) << what;
    EXPECT_TRUE(fused_written.equal(composed_written)) << what;
    if (fused_slot.defined()) {
      EXPECT_TRUE(fused_slot.equal(composed_slot)) << what;
    }
  }
}

}  // namespace
}  // namespace npq::ops
