// The fused messages through C: sizes and pointers are checked, then the kernel runs.
#include <algorithm>

#include "npq/c/sizes.h"
#include "npq/kernels/message/message.h"
#include "npq/kernels/neighbour_lists.h"

namespace npq::c {
namespace {

kernels::MessageShape shape_of(const npq_message_shape& s, const npq_message_inputs& in) {
  if (s.nodes > kernels::kMostMessageNodes)
    throw UsageError("there are {} nodes; expected at most {}", s.nodes,
                     kernels::kMostMessageNodes);
  if (s.channels < 0) throw UsageError("channels are {}; expected 0 or more", s.channels);
  check_sizes({{"batch", s.batch}, {"nodes", s.nodes}, {"hidden", s.hidden}});
  const auto rows = std::max(1, s.channels);
  check_sizes({{"batch", s.batch}, {"nodes", s.nodes}, {"nodes", s.nodes}, {"channels", rows}});
  check_sizes({{"hidden", s.hidden}, {"hidden", s.hidden}, {"channels", rows}});
  check_mark("memory_rows", s.memory_rows, 2);
  required(in.recv, "recv"), required(in.send, "send");
  if (s.channels > 0) required(in.x, "x"), required(in.c, "c");
  required(in.w0, "w0"), required(in.b0, "b0"), required(in.w1, "w1"), required(in.b1, "b1");
  if (s.memory_rows != 0) required(in.memory, "memory");
  return {.batch = s.batch, .nodes = s.nodes, .hidden = s.hidden, .channels = s.channels};
}

/// The inputs, and the lists of those whom each node hears where a mask says so.
struct Inputs {
  Inputs(const npq_message_shape& shape, const npq_message_inputs& in)
      : kernel{.recv = in.recv,
               .send = in.send,
               .x = in.x,
               .c = in.c,
               .w0 = in.w0,
               .b0 = in.b0,
               .w1 = in.w1,
               .b1 = in.b1,
               .memory = in.memory,
               .delivery = static_cast<kernels::Delivery>(shape.memory_rows)} {
    if (!in.mask) return;
    lists = kernels::list_columns(in.mask, shape.batch, shape.nodes);
    kernel.senders = kernels::Senders::Listed;
    kernel.neighbours = lists.view();
  }
  kernels::NeighbourLists lists;
  kernels::MessageInputs<float> kernel;
};

/// The senders must exist: the backward pass writes their gradients.
void check_speakers(const npq_message_shape& s, const std::uint16_t* arg) {
  const int most = s.nodes + (s.memory_rows == 0 ? 0 : s.memory_rows == 1 ? 1 : s.nodes);
  const std::size_t count = static_cast<std::size_t>(s.batch) * s.nodes * s.hidden;
  for (std::size_t i = 0; i < count; ++i)
    if (arg[i] != kernels::kNobody && arg[i] >= most)
      throw UsageError("arg holds {}; expected a number below {}, or {} for nobody", arg[i], most,
                       kernels::kNobody);
}

}  // namespace
}  // namespace npq::c

using namespace npq::c;

npq_status npq_messages(const npq_message_shape* shape, const npq_message_inputs* in, float* agg,
                        uint16_t* arg) {
  return guarded([&] {
    required(shape, "shape"), required(in, "in"), required(agg, "agg"), required(arg, "arg");
    const auto sizes = shape_of(*shape, *in);
    const Inputs inputs(*shape, *in);
    npq::kernels::message_forward(sizes, inputs.kernel, agg, arg, nullptr, npq_threads());
  });
}

npq_status npq_messages_backward(const npq_message_shape* shape, const npq_message_inputs* in,
                                 const uint16_t* arg, const float* dagg,
                                 const npq_message_gradients* gradients) {
  return guarded([&] {
    required(shape, "shape"), required(in, "in"), required(arg, "arg"), required(dagg, "dagg");
    const auto& g = *required(gradients, "gradients");
    const auto sizes = shape_of(*shape, *in);
    check_speakers(*shape, arg);
    const Inputs inputs(*shape, *in);
    npq::kernels::message_backward(sizes, inputs.kernel, arg, dagg, nullptr,
                                   {.recv = g.recv,
                                    .send = g.send,
                                    .x = g.x,
                                    .c = g.c,
                                    .w0 = g.w0,
                                    .b0 = g.b0,
                                    .w1 = g.w1,
                                    .b1 = g.b1,
                                    .memory = g.memory,
                                    .x_channels = nullptr},
                                   npq_threads());
  });
}
