// A small pool for data-parallel loops. The calling thread works too; loops hand out indices one by one, so results may
// not depend on which worker gets which index (they never do here: every reduction has a fixed order of its own).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "moco/core/ceil_div.h"
#include "moco/core/cpus.h"
#include "moco/core/halt.h"

namespace moco {

/// What a pool is given by the system; tests give it something else.
struct ThreadSource {
  int cpus = usable_cpus();
  /// Throws std::system_error where the system refuses another thread.
  std::function<std::thread(std::function<void()>)> start = [](std::function<void()> body) {
    return std::thread(std::move(body));
  };
};

class ThreadPool {
 public:
  using Body = std::function<void(std::size_t index, std::size_t worker)>;

  /// `threads` workers including the caller, fewer if the system refuses some; 0 means one per usable CPU.
  explicit ThreadPool(int threads = 0, const ThreadSource& source = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return workers_.size() + 1; }

  /// Calls body(index, worker) for every index below `count`, worker < size(). Returns when all calls have returned;
  /// rethrows the first exception. Not to be called from inside a body.
  void for_each(std::size_t count, const Body& body);

 private:
  void wake(std::size_t helpers);
  void work(std::size_t worker);
  void drain(std::size_t worker);
  bool join_loop();
  void wait_for_members();

  std::vector<std::thread> workers_;
  std::size_t most_helpers_ = 0;  ///< workers that get a CPU beside the caller
  int spins_ = 0;                 ///< how often to look again before sleeping
  const Body* body_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint32_t> generation_{0};  ///< changes with every loop; idle workers wait for that
  std::atomic<std::uint32_t> gate_{0};        ///< workers inside the loop, and whether more may join
  std::atomic<bool> stopping_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

/// Where a loop runs: on a pool, or on the calling thread alone. Passed down to code that serves both. With a Halt,
/// each turn of a loop looks at it first, so that loops end by throwing Halted when it is due.
class Executor {
 public:
  Executor() = default;
  explicit Executor(const Halt* halt) : halt_(halt) {}
  explicit Executor(ThreadPool& pool, const Halt* halt = nullptr) : pool_(&pool), halt_(halt) {}

  std::size_t workers() const { return pool_ != nullptr ? pool_->size() : 1; }
  const Halt* halt() const { return halt_; }
  /// The same threads, and another halt or none.
  Executor with(const Halt* halt) const {
    Executor other = *this;
    other.halt_ = halt;
    return other;
  }

  /// body(begin, end, worker) for consecutive ranges of indices, `most` of them in each.
  template <typename Body>
  void for_each_range(std::size_t count, std::size_t most, const Body& body) const {
    for_each(ceil_div(count, most), [&](std::size_t range, std::size_t worker) {
      body(range * most, std::min(count, (range + 1) * most), worker);
    });
  }

  /// body(index, worker, executor): tasks that can be done by one thread each, side by side, if there are enough for
  /// all threads, or else by all of them, one task after the other.
  template <typename Body>
  void for_each_task(std::size_t count, const Body& body) const {
    if (count >= workers()) {
      for_each(count, [&](std::size_t index, std::size_t worker) { body(index, worker, Executor(halt_)); });
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        body(i, std::size_t{0}, *this);
      }
    }
  }

  template <typename Body>
  void for_each(std::size_t count, const Body& body) const {
    const auto turn = [&](std::size_t index, std::size_t worker) {
      if (halt_ != nullptr) {
        halt_->check();
      }
      body(index, worker);
    };
    if (pool_ != nullptr && count > 1) {
      pool_->for_each(count, turn);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        turn(i, 0);
      }
    }
  }

 private:
  ThreadPool* pool_ = nullptr;
  const Halt* halt_ = nullptr;
};

}  // namespace moco
