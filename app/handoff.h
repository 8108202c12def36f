#pragma once

namespace npq::app {

/// Replaces this process by npq-engine, which lies beside the program, with the same arguments.
/// Returns 1 where that cannot be, and says why.
int hand_to_engine(char** argv);

}  // namespace npq::app
