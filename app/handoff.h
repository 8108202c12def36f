#pragma once

namespace npq::app {

/// Replaces this process by npq-engine, which lies beside the program, with the same arguments.
/// Returns only by throwing: the engine is missing or cannot be started.
[[noreturn]] void hand_to_engine(char** argv);

}  // namespace npq::app
