#pragma once
#include <nlohmann/json_fwd.hpp>

namespace npq::app {

/// What a number in a report must lead back to: version, commit, compiler, CPU, SIMD level,
/// threads.
nlohmann::json about(int threads);

}  // namespace npq::app
