// Workers spin briefly between loops (the loops of one search step follow each other within microseconds) and then
// sleep.
#include "moco/core/thread_pool.h"

#include <algorithm>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace moco {

namespace {

constexpr int kSpins = 4000;

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  const auto wanted =
      threads > 0 ? static_cast<std::size_t>(threads) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  for (std::size_t worker = 1; worker < wanted; ++worker) {
    workers_.emplace_back([this, worker] { work(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ++generation_;
  }
  wake_.notify_all();
  for (std::thread& thread : workers_) {
    thread.join();
  }
}

void ThreadPool::for_each(std::size_t count, const Body& body) {
  if (count == 0) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    count_ = count;
    next_ = 0;
    running_ = workers_.size();
    ++generation_;
  }
  wake_.notify_all();
  drain(0);
  while (running_.load(std::memory_order_acquire) != 0) {
    relax();
  }
  body_ = nullptr;
  if (failure_) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

void ThreadPool::work(std::size_t worker) {
  std::uint64_t seen = 0;
  for (;;) {
    for (int spin = 0; spin < kSpins && generation_.load(std::memory_order_acquire) == seen; ++spin) {
      relax();
    }
    if (generation_.load(std::memory_order_acquire) == seen) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
    }
    seen = generation_.load(std::memory_order_acquire);
    if (stopping_.load(std::memory_order_acquire)) {
      return;
    }
    drain(worker);
    running_.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadPool::drain(std::size_t worker) {
  try {
    for (std::size_t i = next_++; i < count_; i = next_++) {
      (*body_)(i, worker);
    }
  } catch (...) {
    next_ = count_;
    const std::lock_guard lock(mutex_);
    if (!failure_) {
      failure_ = std::current_exception();
    }
  }
}

}  // namespace moco
