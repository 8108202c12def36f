#pragma once
#include <nlohmann/json_fwd.hpp>

#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// Every rank says by name what must be the same everywhere: options, versions, instruction sets. A
/// UsageError names the first rank that differs from rank 0, and in what.
void check_alike(Ranks& ranks, const nlohmann::json& own);

}  // namespace npq::train
