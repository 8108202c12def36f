#pragma once

namespace npq::app {

/// From now on the first Ctrl-C (or SIGTERM) does not end the process: interrupted() becomes true,
/// so that a run can write its state. The second ends the process (130).
void catch_interrupts();
bool interrupted();

}  // namespace npq::app
