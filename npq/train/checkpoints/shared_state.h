#pragma once
#include <string>

#include "npq/train/checkpoints/run_state.h"
#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// From here on all ranks stand where rank 0 does: its state goes to the others, whatever they have
/// drawn or read, so that they need not see its run folder.
RunProgress share_run_state(Learner& learner, const RunProgress& progress);

/// Of all numbers.
std::string weights_checksum(const NamedTensors& weights);

/// An Error that names the ranks whose weights are not those of rank 0, which only another machine
/// or a fault can cause.
void check_same_weights(const Subject& subject);

}  // namespace npq::train
