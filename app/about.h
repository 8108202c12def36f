#pragma once
#include <nlohmann/json_fwd.hpp>

namespace npq::app {

/// What produced a number in a report: version, commit, compiler, CPU, SIMD level, threads.
nlohmann::json about(int threads);

}  // namespace npq::app
