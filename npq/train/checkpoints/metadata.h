#pragma once
#include <map>
#include <string>

namespace npq::train {

/// What a file says about itself beside its tensors.
using Metadata = std::map<std::string, std::string>;

}  // namespace npq::train
