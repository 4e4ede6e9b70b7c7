// The handler touches nothing but a lock-free counter, and _exit for the second signal.
#include "signals.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

namespace moco::cli {

namespace {

constexpr int kExitAtOnce = 130;

std::atomic<int> signals_seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void on_signal(int /*number*/) {
  if (signals_seen.fetch_add(1) > 0) {
    _exit(kExitAtOnce);
  }
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool signal_arrived() {
  return signals_seen.load() > 0;
}

}  // namespace moco::cli
