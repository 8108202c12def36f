#include "npq/nn/processors/processor.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>

#include "npq/base/error.h"
#include "npq/nn/processors/attention.h"
#include "npq/nn/processors/pgn.h"

namespace npq::nn {

ops::ParameterSpecs processor_parameters(const ProcessorOptions& options, std::int64_t hidden) {
  options.validate(hidden);
  switch (options.kind().family) {
    case ProcessorFamily::Pgn:
      return Pgn::parameters(options, hidden);
    case ProcessorFamily::Gat:
      return Gat::parameters(options, hidden);
    case ProcessorFamily::Gatv2:
      return Gatv2::parameters(options, hidden);
  }
  NPQ_ASSERT(false);
  return {};
}

std::unique_ptr<Processor> make_processor(const ProcessorOptions& options,
                                          const ops::ParameterStore& store) {
  switch (options.kind().family) {
    case ProcessorFamily::Pgn:
      return std::make_unique<Pgn>(options, store);
    case ProcessorFamily::Gat:
      return std::make_unique<Gat>(options, store);
    case ProcessorFamily::Gatv2:
      return std::make_unique<Gatv2>(options, store);
  }
  NPQ_ASSERT(false);
  return nullptr;
}

at::Tensor heard_sum(const MemoryMessages& memory) {
  const auto& rows = memory.rows;
  switch (memory.delivery) {
    case kernels::Delivery::Self:
      return rows;
    case kernels::Delivery::All:
      return rows.sum(1, /*keepdim=*/true);
    case kernels::Delivery::SelfRepeat:
      return rows * rows.size(1);
    case kernels::Delivery::Nobody:
      break;
  }
  NPQ_ASSERT(!"nobody hears this message");
  return {};
}

at::Tensor used_adjacency(AdjacencyUse use, const at::Tensor& given) {
  switch (use) {
    case AdjacencyUse::Full:
      return {};
    case AdjacencyUse::Identity:
      return at::eye(given.size(-1), at::kBool).expand_as(given);
    case AdjacencyUse::Given:
      return given;
  }
  NPQ_ASSERT(false);
  return {};
}

}  // namespace npq::nn
