#pragma once
#include <map>
#include <string>
#include <string_view>

namespace npq::app {

/// A JSON object of long option names, as --config takes it: each value as its option's text. Lists
/// become "1,2,3". Null and empty lists are left out, and so are objects: versions, machine and
/// changes, which a run adds. Anything else is a UsageError, in which `source` names the text.
std::map<std::string, std::string> config_values(std::string_view text, const std::string& source);

}  // namespace npq::app
