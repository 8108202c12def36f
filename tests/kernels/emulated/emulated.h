#pragma once
#include "npq/kernels/adam/adam_tile.h"
#include "npq/kernels/attention/attention_tile.h"
#include "npq/kernels/edge_pointer/edge_pointer_tile.h"
#include "npq/kernels/max_plus/max_plus_tile.h"
#include "npq/kernels/message/message_tile.h"
#include "npq/kernels/pointer/pointer_tile.h"
#include "npq/kernels/queue_pop/queue_pop_tile.h"

// The loops of levels that few machines have, built so that AVX2 runs them: vectors of 16 numbers
// as pairs of 8, tiles in plain loops. Packing, splitting, remainders and addresses are those of
// the real ones.
namespace npq::kernels {

const MessageLoops& message_loops_wide();   // avx512
const MessageLoops& message_loops_tiles();  // amx

const PointerLoops& pointer_loops_wide();

const EdgePointerLoops& edge_pointer_loops_wide();

const AttentionLoops& attention_loops_wide();

const MaxPlusLoops& max_plus_loops_wide();

const QueuePopLoops& queue_pop_loops_wide();

const AdamLoops& adam_loops_wide();

}  // namespace npq::kernels
