#pragma once
#include "npq/kernels/adam/adam.h"
#include "npq/kernels/attention/attention.h"
#include "npq/kernels/max_plus/max_plus.h"
#include "npq/kernels/message/message.h"
#include "npq/kernels/pointer/pointer.h"
#include "npq/kernels/queue_pop/queue_pop.h"

// The loops of levels that few machines have, built so that AVX2 runs them: vectors of 16 numbers
// as pairs of 8, tiles in plain loops. Packing, splitting, remainders and addresses are those of
// the real ones.
namespace npq::kernels {

extern const MessageLoops kMessageWide;   // avx512
extern const MessageLoops kMessageTiles;  // amx
extern const PointerLoops kPointerWide;
extern const AttentionLoops kAttentionWide;
extern const MaxPlusLoops kMaxPlusWide;
extern const QueuePopLoops kQueuePopWide;
extern const AdamLoops kAdamWide;

}  // namespace npq::kernels
