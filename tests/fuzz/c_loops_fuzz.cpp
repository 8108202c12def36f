// The loops of the queue and the messages through C, with any sizes, choices and null pointers: a
// status and no access beyond the arrays, which are exactly as large as the shape says.
#include <limits>

#include "tests/fuzz/c_calls.h"

namespace {

using npq::fuzz::done;
using npq::fuzz::Draw;

constexpr auto kLargest = std::numeric_limits<std::int32_t>::max();
constexpr auto kInfinite = std::numeric_limits<float>::infinity();
constexpr auto kNaN = std::numeric_limits<float>::quiet_NaN();

std::int32_t size(Draw& draw) {
  return draw.one_of<std::int32_t>({2, 1, 3, 5, 8, 17, 2, 1, 3, 4, 0, -1, 65536, kLargest});
}

std::int32_t mark(Draw& draw) { return draw.one_of<std::int32_t>({0, 1, 0, 1, 0, 1, 2, -1, 99}); }

float* floats(Draw& draw, std::initializer_list<std::int64_t> sizes) {
  const bool strange = draw.byte() % 4 == 3;
  const std::initializer_list<float> sound = {0.5f, -1.0f, 2.0f, 0.0f, 0.25f};
  const std::initializer_list<float> any = {0.5f, -1.0f, kNaN, 0.0f, kInfinite, -kInfinite, 3e38f};
  return draw.or_null(draw.room<float>(sizes, strange ? any : sound));
}

std::uint8_t* marks(Draw& draw, std::initializer_list<std::int64_t> sizes) {
  return draw.or_null(draw.room<std::uint8_t>(sizes, {1, 0, 1, 1, 7}));
}

void pop(Draw& draw) {
  npq_pop_shape shape{};
  for (auto* one : {&shape.batch, &shape.nodes, &shape.slots, &shape.width, &shape.heads})
    *one = size(draw);
  for (auto* one : {&shape.best_only, &shape.one_reader, &shape.keep, &shape.mask_later,
                    &shape.epsilon_grant, &shape.heads_alone, &shape.straight_through})
    *one = mark(draw);
  const std::int64_t B = shape.batch, N = shape.nodes, S = shape.slots, F = shape.width;
  const std::int64_t K = shape.heads;
  const npq_pop_inputs in{.asked = floats(draw, {B, N, K}),
                          .held = floats(draw, {B, S, K}),
                          .combine = floats(draw, {K}),
                          .strength = floats(draw, {B, N}),
                          .s = floats(draw, {B, S}),
                          .v = floats(draw, {B, S, F}),
                          .occupied = marks(draw, {B, S}),
                          .real = marks(draw, {B, N})};
  auto *value = floats(draw, {B, N, F}), *total = floats(draw, {B, S});
  done(npq_queue_pop(draw.or_null(&shape), draw.or_null(&in), value, total));
  const npq_pop_gradients gradients{floats(draw, {B, N, K}), floats(draw, {B, S, K}),
                                    floats(draw, {K}),       floats(draw, {B, N}),
                                    floats(draw, {B, S}),    floats(draw, {B, S, F})};
  done(npq_queue_pop_backward(draw.or_null(&shape), draw.or_null(&in), value, total,
                              draw.or_null(&gradients)));
}

void push(Draw& draw) {
  npq_push_shape shape{};
  for (auto* one : {&shape.batch, &shape.slots, &shape.width}) *one = size(draw);
  for (auto* one : {&shape.keep, &shape.add_to_reused, &shape.full, &shape.slot}) *one = mark(draw);
  constexpr auto kEnd = std::numeric_limits<std::int64_t>::max();
  shape.step = draw.one_of<std::int64_t>({0, 1, 7, -1, kEnd, kEnd - 1, 1LL << 40});
  const std::int64_t B = shape.batch, S = shape.slots, F = shape.width;
  const auto steps = [&](std::initializer_list<std::int64_t> sizes) {
    return draw.or_null(draw.room<std::int64_t>(sizes, {0, -1, 1, 2, 0, kEnd, -kEnd - 1}));
  };
  const npq_push_inputs in{.v = floats(draw, {B, S, F}),
                           .s = floats(draw, {B, S}),
                           .total = floats(draw, {B, S}),
                           .new_v = floats(draw, {B, F}),
                           .new_s = floats(draw, {B}),
                           .written = steps({B, S}),
                           .write_slot = steps({B})};
  auto* target = draw.or_null(draw.room<std::int32_t>({B}, {0, -1, 1, kLargest, -2}));
  const npq_push_outputs out{.v = floats(draw, {B, S, F}),
                             .s = floats(draw, {B, S}),
                             .written = steps({B, S}),
                             .write_slot = steps({B}),
                             .alive = marks(draw, {B, S}),
                             .target = target,
                             .onto = marks(draw, {B})};
  done(npq_queue_push(draw.or_null(&shape), draw.or_null(&in), draw.or_null(&out)));
  const npq_push_gradients gradients{floats(draw, {B, S, F}), floats(draw, {B, S}),
                                     floats(draw, {B, S}), floats(draw, {B, F}), floats(draw, {B})};
  done(npq_queue_push_backward(draw.or_null(&shape), out.alive, out.target, out.onto,
                               floats(draw, {B, S, F}), floats(draw, {B, S}),
                               draw.or_null(&gradients)));
}

void messages(Draw& draw) {
  npq_message_shape shape{};
  for (auto* one : {&shape.batch, &shape.nodes, &shape.hidden}) *one = size(draw);
  shape.channels = draw.one_of<std::int32_t>({0, 1, 2, 3, -1, kLargest});
  shape.memory_rows = draw.one_of<std::int32_t>({0, 1, 2, 3, -1});
  const std::int64_t B = shape.batch, N = shape.nodes, H = shape.hidden, R = shape.channels;
  const npq_message_inputs in{.recv = floats(draw, {B, N, H}),
                              .send = floats(draw, {B, N, H}),
                              .x = floats(draw, {B, N, N, R}),
                              .c = floats(draw, {R, H}),
                              .w0 = floats(draw, {H, H}),
                              .b0 = floats(draw, {H}),
                              .w1 = floats(draw, {H, H}),
                              .b1 = floats(draw, {H}),
                              .memory = floats(draw, {B, N, H}),
                              .mask = marks(draw, {B, N, N})};
  auto* agg = floats(draw, {B, N, H});
  auto* arg = draw.or_null(draw.room<std::uint16_t>({B, N, H}, {0, 1, 65535, 40000, 2}));
  done(npq_messages(draw.or_null(&shape), draw.or_null(&in), agg, arg));
  const npq_message_gradients gradients{
      floats(draw, {B, N, H}), floats(draw, {B, N, H}), floats(draw, {B, N, N, R}),
      floats(draw, {R, H}),    floats(draw, {H, H}),    floats(draw, {H}),
      floats(draw, {H, H}),    floats(draw, {H}),       floats(draw, {B, N, H})};
  done(npq_messages_backward(draw.or_null(&shape), draw.or_null(&in), arg, agg,
                             draw.or_null(&gradients)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draw draw(data, size);
  const auto call = draw.byte() % 3;
  done(npq_set_threads(draw.one_of<std::int32_t>({1, 2, 3, 0, -1})));
  if (call == 0) pop(draw);
  if (call == 1) push(draw);
  if (call == 2) messages(draw);
  return 0;
}
