#pragma once
#include <string>

namespace npq {

/// A word as a shell takes it: in quotes where it needs them.
std::string shell_quoted(const std::string& word);

}  // namespace npq
