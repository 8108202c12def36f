#pragma once

namespace npq::app {

/// From now on Ctrl-C (and SIGTERM) ends nothing at once: interrupted() tells of the first, so that
/// a run can write its state; the second ends the process (130).
void catch_interrupts();
bool interrupted();

}  // namespace npq::app
