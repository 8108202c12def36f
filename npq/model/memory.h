#pragma once
#include <cstdint>
#include <memory>

#include "npq/memory/carried_state.h"
#include "npq/memory/memory.h"
#include "npq/memory/options.h"
#include "npq/model/batch.h"
#include "npq/nn/processors/processor.h"

// Where memory and processor meet: neither knows the other.
namespace npq::model {

/// A memory and how it takes part: what a step remembers, and where its messages join.
struct JoinedMemory {
  std::shared_ptr<const memory::Memory> memory;  // null: none
  memory::Carry carry = memory::Carry::All;
  memory::Join join = memory::Join::PreMlp;
};

/// The memory that `options` describe, for a network of that hidden size; null for "none".
JoinedMemory joined_memory(const memory::MemoryOptions& options, std::int64_t hidden);

/// The state before the first of `calls` calls of the processor. An oracle's schedule comes with
/// the batch, as the inputs `us_valid` [B,K] (the node taken at each step, -1: none) and `us_pi`
/// [B,N,N], which are not encoded.
memory::CarriedState begin_memory(const JoinedMemory& joined, const TensorBatch& batch,
                                  std::int64_t calls,
                                  memory::Ablation ablation = memory::Ablation::None);

/// What the processor hears of a memory's step.
nn::MemoryMessages messages_of(const memory::MemoryStep& step, memory::Join join);

}  // namespace npq::model
