#pragma once
#include "npq/kernels/message/message.h"
#include "npq/kernels/message/message_tile.h"
#include "npq/kernels/padding.h"

// How a call becomes tiles. message.h chooses the loops; tests hand in others.
namespace npq::kernels {

void message_forward_with(const MessageLoops& loops, const MessageShape& shape,
                          const MessageInputs<float>& in, float* agg, std::uint16_t* arg,
                          float* kept, int threads);
void message_backward_with(const MessageLoops& loops, const MessageShape& shape,
                           const MessageInputs<float>& in, const std::uint16_t* arg,
                           const float* dagg, const float* kept,
                           const MessageGradients<float>& gradients, int threads);

/// A call's inputs as the loops want them: rows padded, weights packed.
struct PackedMessages {
  /// Measures with an arena without memory, then packs with one.
  PackedMessages(Arena& arena, bool packing, const MessageLoops& loops, const MessageShape& shape,
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
