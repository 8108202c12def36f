#pragma once
#include "npq/kernels/lanes/product.h"
#include "npq/kernels/lanes/tile_product.h"
#include "npq/kernels/message/message_backward_loops.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <class Product, int ForwardRows, int BackwardRows>
constexpr MessageLoops message_loops_of() {
  using Forward = MessageForward<Product, ForwardRows>;
  using Backward = MessageBackward<Product, BackwardRows>;
  static_assert(ForwardRows % Product::kRows == 0 && BackwardRows % Product::kRows == 0);
  return {.width = Product::kWidth,
          .pack = Product::pack,
          .forward_scratch = Forward::scratch_floats,
          .backward_scratch = Backward::scratch_floats,
          .forward = Forward::run,
          .backward = Backward::run};
}

}  // namespace
}  // namespace npq::kernels
