#pragma once
#include <cstdint>

// How often each kernel was called in this process: proof for tests and reports that it ran.
namespace npq::kernels {

enum class Kernel {
  Message,
  MessageBackward,
  Pointer,
  PointerBackward,
  EdgePointer,
  EdgePointerBackward,
  Attention,
  AttentionBackward,
  MaxPlus,
  MaxPlusBackward,
  QueuePop,
  QueuePopBackward,
  QueuePush,
  QueuePushBackward,
  Strip,
  StripBackward,
  SparseProduct,
  EdgeAttention,
  EdgeAttentionBackward,
  NormReluUnit,
  NormReluUnitBackward,
  Adam,
};
inline constexpr int kKernels = static_cast<int>(Kernel::Adam) + 1;

void count_call(Kernel kernel);
std::int64_t calls(Kernel kernel);

}  // namespace npq::kernels
