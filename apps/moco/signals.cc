// The handler touches nothing but lock-free variables, and _exit for the second signal.
#include "signals.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

namespace moco::cli {

namespace {

constexpr int kExitAtOnce = 130;

std::atomic<int> requests{0};  // SIGINT and SIGTERM
std::atomic<bool> hung_up{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void on_signal(int number) {
  if (number == SIGHUP) {
    hung_up = true;  // kernel and shell may both send it: the second one is no demand to hurry
  } else if (requests.fetch_add(1) > 0) {
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
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, nullptr);
  }
}

bool signal_arrived() {
  return requests.load() > 0 || terminal_gone();
}

bool terminal_gone() {
  return hung_up.load();
}

}  // namespace moco::cli
