#include "app/engine/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace npq::app {
namespace {

std::atomic<int> interrupts{0};

void on_interrupt(int) {
  if (++interrupts >= 2) _exit(130);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupts > 0; }

}  // namespace npq::app
