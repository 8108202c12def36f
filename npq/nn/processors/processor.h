#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

#include "npq/kernels/delivery.h"
#include "npq/nn/features.h"
#include "npq/nn/options.h"
#include "npq/ops/parameter_spec.h"

namespace npq::nn {

/// What a memory says to the nodes: rows[b,i] was popped by node i. It joins the messages of the
/// other nodes and is never masked by the adjacency.
struct MemoryMessages {
  at::Tensor rows;  // [B, N, H]
  kernels::Delivery delivery = kernels::Delivery::Self;
  kernels::Join join = kernels::Join::PreMlp;  // attention has no message network
};

struct Processed {
  at::Tensor hidden;    // [B, N, H]
  at::Tensor triplets;  // [B, N, N, H] messages over triples of nodes, for decoders alone;
                        // undefined without
};

/// One round of messages: (features, hidden, messages of a memory) -> new hidden state. Holds
/// parameters, no state.
class Processor {
 public:
  virtual ~Processor() = default;
  virtual Processed process(const Features& features, const at::Tensor& hidden,
                            const std::optional<MemoryMessages>& memory = {}) const = 0;
};

/// `processor/...`, by the names of the benchmark's checkpoint map.
ops::ParameterSpecs processor_parameters(const ProcessorOptions& options, std::int64_t hidden);

std::unique_ptr<Processor> make_processor(const ProcessorOptions& options,
                                          const ops::ParameterStore& store);

/// What every node hears of a memory, added up, [B, N, H] or, where it is the same for all nodes,
/// [B, 1, H].
at::Tensor heard_sum(const MemoryMessages& memory);

/// The adjacency that messages obey, [B, N, N] bool; undefined where all nodes hear all others.
at::Tensor used_adjacency(AdjacencyUse use, const at::Tensor& given);

}  // namespace npq::nn
