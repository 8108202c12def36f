// The queue's fused loops through C: sizes and pointers are checked, then the kernel runs.
#include "npq/kernels/queue_pop/queue_pop.h"

#include "npq/c/sizes.h"
#include "npq/kernels/queue_push/queue_push.h"

namespace npq::c {
namespace {

using Choices = kernels::QueueChoices;

Choices::Pop pop_of(int keep) { return keep ? Choices::Pop::Keep : Choices::Pop::Consume; }

kernels::QueuePopShape shape_of(const npq_pop_shape& s, const npq_pop_inputs& in) {
  check_sizes({{"batch", s.batch}, {"nodes", s.nodes}, {"slots", s.slots}});
  check_sizes({{"batch", s.batch}, {"slots", s.slots}, {"width", s.width}});
  check_sizes({{"batch", s.batch}, {"nodes", s.nodes}, {"width", s.width}});
  check_sizes({{"batch", s.batch}, {"nodes", s.nodes}, {"heads", s.heads}});
  check_sizes({{"batch", s.batch}, {"slots", s.slots}, {"heads", s.heads}});
  for (const auto mark : {s.best_only, s.one_reader, s.keep, s.mask_later, s.epsilon_grant,
                          s.heads_alone, s.straight_through})
    check_mark("a choice of popping", mark);
  if (s.heads_alone && s.heads != 1)
    throw UsageError("heads_alone is for one head; there are {}", s.heads);
  required(in.asked, "asked"), required(in.held, "held"), required(in.v, "v");
  required(in.occupied, "occupied");
  if (!s.heads_alone) required(in.combine, "combine");
  if (!s.keep) required(in.strength, "strength"), required(in.s, "s");
  return {.batch = s.batch,
          .nodes = s.nodes,
          .slots = s.slots,
          .width = s.width,
          .heads = s.heads,
          .read = s.best_only ? Choices::Read::Max : Choices::Read::Weighted,
          .reader = s.one_reader ? Choices::Reader::Graph : Choices::Reader::Node,
          .pop = pop_of(s.keep),
          .grant = s.epsilon_grant ? Choices::Grant::Epsilon : Choices::Grant::Piecewise,
          .mask_second_softmax = s.mask_later != 0,
          .single_head_skip = s.heads_alone != 0,
          .straight_through = s.straight_through != 0};
}

kernels::QueuePopInputs<float> inputs_of(const npq_pop_inputs& in) {
  return {.asked = in.asked,
          .held = in.held,
          .combine = in.combine,
          .strength = in.strength,
          .s = in.s,
          .v = in.v,
          .occupied = in.occupied,
          .real = in.real};
}

kernels::QueuePushShape shape_of(const npq_push_shape& s) {
  check_sizes({{"batch", s.batch}, {"slots", s.slots}, {"width", s.width}});
  check_mark("keep", s.keep), check_mark("add_to_reused", s.add_to_reused);
  check_mark("full", s.full, 2), check_mark("slot", s.slot, 2);
  if (s.step < 0) throw UsageError("step is {}; expected 0 or more", s.step);
  return {.batch = s.batch,
          .slots = s.slots,
          .width = s.width,
          .step = s.step,
          .pop = pop_of(s.keep),
          .slot_write = s.add_to_reused ? Choices::SlotWrite::Add : Choices::SlotWrite::Overwrite,
          .full_queue = static_cast<Choices::FullQueue>(s.full),
          .write_slot = static_cast<Choices::WriteSlot>(s.slot)};
}

void check_slots(std::string_view name, const std::int64_t* slots, const npq_push_shape& shape) {
  for (std::int32_t b = 0; b < shape.batch; ++b)
    if (slots[b] < 0 || slots[b] >= shape.slots)
      throw UsageError("{} of graph {} is {}; expected a slot of 0 to {}", name, b, slots[b],
                       shape.slots - 1);
}

}  // namespace
}  // namespace npq::c

using namespace npq::c;
namespace kernels = npq::kernels;

npq_status npq_queue_pop(const npq_pop_shape* shape, const npq_pop_inputs* in, float* value,
                         float* total) {
  return guarded([&] {
    const auto sizes = shape_of(*required(shape, "shape"), *required(in, "in"));
    required(value, "value");
    if (!shape->keep) required(total, "total");
    kernels::queue_pop_forward(sizes, inputs_of(*in), value, total, npq_threads());
  });
}

npq_status npq_queue_pop_backward(const npq_pop_shape* shape, const npq_pop_inputs* in,
                                  const float* dvalue, const float* dtotal,
                                  const npq_pop_gradients* gradients) {
  return guarded([&] {
    const auto sizes = shape_of(*required(shape, "shape"), *required(in, "in"));
    required(dvalue, "dvalue");
    const auto& g = *required(gradients, "gradients");
    kernels::queue_pop_backward(sizes, inputs_of(*in), dvalue, dtotal,
                                {.asked = g.asked,
                                 .held = g.held,
                                 .combine = g.combine,
                                 .strength = g.strength,
                                 .s = g.s,
                                 .v = g.v},
                                npq_threads());
  });
}

npq_status npq_queue_push(const npq_push_shape* shape, const npq_push_inputs* in,
                          const npq_push_outputs* out) {
  return guarded([&] {
    const auto sizes = shape_of(*required(shape, "shape"));
    required(in, "in"), required(out, "out");
    required(in->v, "v"), required(in->new_v, "new_v"), required(in->written, "written");
    required(out->v, "v"), required(out->written, "written"), required(out->alive, "alive");
    required(out->target, "target"), required(out->onto, "onto");
    if (!shape->keep) {
      required(in->s, "s"), required(in->total, "total"), required(in->new_s, "new_s");
      required(out->s, "s");
    }
    if (sizes.write_slot == kernels::QueueChoices::WriteSlot::PreviousStep) {
      check_slots("write_slot", required(in->write_slot, "write_slot"), *shape);
      required(out->write_slot, "write_slot");
    }
    kernels::queue_push_forward<float>(sizes,
                                       {.v = in->v,
                                        .s = in->s,
                                        .total = in->total,
                                        .new_v = in->new_v,
                                        .new_s = in->new_s,
                                        .written = in->written,
                                        .write_slot = in->write_slot},
                                       {.v = out->v,
                                        .s = out->s,
                                        .written = out->written,
                                        .write_slot = out->write_slot,
                                        .alive = out->alive,
                                        .target = out->target,
                                        .onto = out->onto},
                                       npq_threads());
  });
}

npq_status npq_queue_push_backward(const npq_push_shape* shape, const uint8_t* alive,
                                   const int32_t* target, const uint8_t* onto, const float* dv,
                                   const float* ds, const npq_push_gradients* gradients) {
  return guarded([&] {
    const auto sizes = shape_of(*required(shape, "shape"));
    required(dv, "dv"), required(alive, "alive"), required(target, "target");
    required(onto, "onto");
    const auto& g = *required(gradients, "gradients");
    for (std::int32_t b = 0; b < shape->batch; ++b)
      if (target[b] < -1 || target[b] >= shape->slots)
        throw npq::UsageError("target of graph {} is {}; expected a slot of 0 to {}, or -1", b,
                              target[b], shape->slots - 1);
    kernels::QueuePushOutputs<float> forward{};
    // The kernel only reads these.
    forward.alive = const_cast<uint8_t*>(alive);
    forward.target = const_cast<int32_t*>(target);
    forward.onto = const_cast<uint8_t*>(onto);
    kernels::queue_push_backward<float>(
        sizes, forward, dv, ds,
        {.v = g.v, .s = g.s, .total = g.total, .new_v = g.new_v, .new_s = g.new_s}, npq_threads());
  });
}
