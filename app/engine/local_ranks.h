#pragma once
#include <atomic>
#include <functional>

namespace npq::app {

/// What a rank on this machine does. `told` is common to all of them: whether one has said why they
/// end.
using LocalWork = std::function<int(int rank, std::atomic<bool>& told)>;

/// Calls `work` in `count` processes that this one starts, each with a copy of all it has so
/// far. There it returns with the result of `work`; here when all have ended, with their exit code.
/// Signals to end are passed on. One that is killed ends the others, if they do not end by
/// themselves; where none of them has told it, this process does.
int as_local_ranks(int count, const LocalWork& work);

}  // namespace npq::app
