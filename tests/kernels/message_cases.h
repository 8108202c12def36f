#pragma once
#include <string>
#include <vector>

#include "npq/kernels/message/message.h"
#include "npq/kernels/neighbour_lists.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/numbers.h"

namespace npq::kernels {

using test::Guarded;

/// Inputs and outputs of one call of the message kernel.
template <class Number>
struct MessageCase {
  MessageShape shape;
  Guarded<Number> recv, send, x, c, w0, b0, w1, b1, memory;
  Senders senders = Senders::All;
  Delivery delivery = Delivery::Nobody;
  NeighbourLists neighbours;

  MessageInputs<Number> inputs() const {
    return {recv.data(), send.data(), x.data(),      c.data(), w0.data(), b0.data(),
            w1.data(),   b1.data(),   memory.data(), senders,  delivery,  neighbours.view()};
  }
  template <class Other>
  MessageCase<Other> as() const {
    using G = Guarded<Other>;
    return {shape,       G::from(recv), G::from(send), G::from(x),  G::from(c),
            G::from(w0), G::from(b0),   G::from(w1),   G::from(b1), G::from(memory),
            senders,     delivery,      neighbours};
  }
};

/// Whole numbers, small enough that every level computes exactly, products of tiles included: each
/// number has at most 8 bits in one factor and 16 in the other, each sum less than 24.
MessageCase<float> whole_case(const MessageShape& shape, Senders senders, Delivery memory,
                              int seed);
/// Normal numbers, weights scaled so that messages neither vanish nor explode.
MessageCase<float> normal_case(const MessageShape& shape, Senders senders, Delivery memory,
                               int seed);

template <class Number>
struct MessageResult {
  explicit MessageResult(const MessageShape& s)
      : agg(std::size_t(s.batch) * s.nodes * s.hidden), arg(agg.size()) {}
  Guarded<Number> agg;
  Guarded<std::uint16_t> arg;
};

template <class Number>
struct MessageGradientArrays {
  explicit MessageGradientArrays(const MessageCase<Number>& in)
      : recv(in.recv.size()),
        send(in.send.size()),
        x(in.x.size()),
        c(in.c.size()),
        w0(in.w0.size()),
        b0(in.b0.size()),
        w1(in.w1.size()),
        b1(in.b1.size()),
        memory(in.memory.size()) {
    for (auto* array : all()) {
      for (auto& value : *array) value = Number(77);  // must be overwritten
    }
  }
  MessageGradients<Number> pointers(const std::uint8_t* x_channels = nullptr) {
    return {recv.data(), send.data(), x.data(),  c.data(),      w0.data(),
            b0.data(),   w1.data(),   b1.data(), memory.data(), x_channels};
  }
  std::vector<Guarded<Number>*> all() {
    return {&recv, &send, &x, &c, &w0, &b0, &w1, &b1, &memory};
  }
  static std::vector<std::string> names() {
    return {"recv", "send", "x", "c", "w0", "b0", "w1", "b1", "memory"};
  }
  Guarded<Number> recv, send, x, c, w0, b0, w1, b1, memory;
};

/// Every set of loops that this machine can run, real or emulated.
struct NamedMessageLoops {
  std::string name;
  const MessageLoops* loops;
  bool rounds_to_16_bits;  // tiles: products are exact to 2^-16, not 2^-24
};
std::vector<NamedMessageLoops> message_loops_to_test();

}  // namespace npq::kernels
