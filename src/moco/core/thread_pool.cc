// Workers spin briefly between loops (the loops of one search step follow each other within microseconds) and then
// sleep. A loop does not wait for workers that have not come by the time its indices are handed out: a sleeper wakes
// late on a busy machine. Where the threads outnumber the CPUs nobody spins, as that would keep another from working.
#include "moco/core/thread_pool.h"

#include <algorithm>
#include <system_error>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace moco {

namespace {

constexpr int kSpins = 4000;
constexpr std::uint32_t kOpen = std::uint32_t{1} << 31;  // in the gate: workers may join the loop

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads, const ThreadSource& source) {
  const int wanted = threads > 0 ? threads : source.cpus;
  most_helpers_ = static_cast<std::size_t>(std::min(wanted, source.cpus) - 1);
  spins_ = wanted > source.cpus ? 0 : kSpins;
  try {
    for (std::size_t worker = 1; worker < static_cast<std::size_t>(wanted); ++worker) {
      workers_.push_back(source.start([this, worker] { work(worker); }));
    }
  } catch (const std::system_error&) {
    // The system has a limit: those that there are do the work.
  }
}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  ++generation_;
  generation_.notify_all();
  for (std::thread& thread : workers_) {
    thread.join();
  }
}

void ThreadPool::for_each(std::size_t count, const Body& body) {
  if (count == 0) {
    return;
  }
  body_ = &body;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  gate_.store(kOpen, std::memory_order_release);
  ++generation_;
  wake(std::min(count - 1, most_helpers_));
  drain(0);
  gate_.fetch_and(~kOpen);
  wait_for_members();
  body_ = nullptr;
  if (failure_) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

/// Ends the sleep of that many workers, or of all who sleep if they are fewer.
void ThreadPool::wake(std::size_t helpers) {
  if (helpers >= workers_.size()) {
    generation_.notify_all();
    return;
  }
  for (std::size_t i = 0; i < helpers; ++i) {
    generation_.notify_one();
  }
}

void ThreadPool::work(std::size_t worker) {
  std::uint32_t seen = 0;
  for (;;) {
    for (int spin = 0; spin < spins_ && generation_.load(std::memory_order_acquire) == seen; ++spin) {
      relax();
    }
    generation_.wait(seen, std::memory_order_acquire);
    seen = generation_.load(std::memory_order_acquire);
    if (stopping_.load(std::memory_order_acquire)) {
      return;
    }
    if (join_loop()) {
      drain(worker);
      if (gate_.fetch_sub(1) == 1) {
        gate_.notify_one();
      }
    }
  }
}

/// Enters the loop unless it is over.
bool ThreadPool::join_loop() {
  std::uint32_t gate = gate_.load(std::memory_order_relaxed);
  while ((gate & kOpen) != 0) {
    if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void ThreadPool::wait_for_members() {
  std::uint32_t gate = gate_.load(std::memory_order_acquire);
  for (int spin = 0; spin < spins_ && gate != 0; ++spin) {
    relax();
    gate = gate_.load(std::memory_order_acquire);
  }
  while (gate != 0) {
    gate_.wait(gate, std::memory_order_acquire);
    gate = gate_.load(std::memory_order_acquire);
  }
}

void ThreadPool::drain(std::size_t worker) {
  try {
    for (std::size_t i = next_++; i < count_; i = next_++) {
      (*body_)(i, worker);
    }
  } catch (...) {
    next_ = count_;
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) {
      failure_ = std::current_exception();
    }
  }
}

}  // namespace moco
