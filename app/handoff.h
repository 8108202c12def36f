#pragma once

namespace npq::app {

/// Replaces this process by npq-engine in the same folder, with the same arguments. Returns 1 and
/// prints why if that fails.
int hand_to_engine(char** argv);

}  // namespace npq::app
