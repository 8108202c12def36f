#pragma once
#include <cstddef>

#include "npq/kernels/message/message.h"
#include "npq/kernels/padding.h"

// What the forward and the backward pass of a call both begin with.
namespace npq::kernels {

inline std::size_t area(int a, int b) { return static_cast<std::size_t>(a) * b; }

/// More nodes than the winner's number can name are an Error.
void check_message_nodes(const MessageShape& shape);

/// A call's inputs as the loops want them: rows padded, weights packed.
struct PackedMessages {
  PackedMessages(Arena& arena, const MessageLoops& loops, const MessageShape& shape,
                 const MessageInputs<float>& in, bool backward);

  /// Graph b without its receivers and outputs.
  MessageTile tile(int b) const;

  const MessageShape& shape;
  const MessageInputs<float>& in;
  int padded;
  const float *recv, *send, *memory, *c, *b0, *b1;
  const float *w0, *w1, *w0_transposed, *w1_transposed;
};

}  // namespace npq::kernels
