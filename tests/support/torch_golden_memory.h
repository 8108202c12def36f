#pragma once
#include <string>
#include <vector>

#include "npq/memory/options.h"
#include "tests/support/torch_golden.h"

namespace npq::test {

/// The runs of a queue file: "paper/", "ref_unrolled/", "ref_jit/".
std::vector<std::string> golden_runs(const GoldenNetwork& golden);

/// The memory of one run, read from the file's metadata.
memory::MemoryOptions golden_memory(const GoldenNetwork& golden, const std::string& run);

/// The file's batch with what the run's memory reads beside the network: an oracle's schedule.
model::TensorBatch golden_memory_batch(const GoldenNetwork& golden, const std::string& run,
                                       at::ScalarType dtype);

/// The spec without the oracle's inputs, which nobody encodes.
clrs::Spec encoded_spec(const GoldenNetwork& golden);

}  // namespace npq::test
