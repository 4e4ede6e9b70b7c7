#include "moco/core/thread_pool.h"

#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

#include "refused_threads.h"

namespace moco {
namespace {

void expect_every_index_once(ThreadPool& pool) {
  for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<std::atomic<int>> calls(count);
    pool.for_each(count, [&](std::size_t i, std::size_t worker) {
      EXPECT_LT(worker, pool.size());
      ++calls[i];
    });
    for (const auto& c : calls) {
      EXPECT_EQ(c, 1);
    }
  }
}

TEST(ThreadPool, CallsEveryIndexOnce) {
  for (const int cpus : {1, 2, 8}) {  // fewer than threads: workers sleep at once, and not all are woken
    for (const int threads : {1, 2, 7}) {
      ThreadPool pool(threads, {.cpus = cpus});
      EXPECT_EQ(pool.size(), static_cast<std::size_t>(threads));
      expect_every_index_once(pool);
    }
  }
}

TEST(ThreadPool, HasAThreadPerUsableCpuUnlessToldOtherwise) {
  EXPECT_EQ(ThreadPool(0, {.cpus = 3}).size(), 3u);
  EXPECT_EQ(ThreadPool().size(), static_cast<std::size_t>(usable_cpus()));
}

TEST(ThreadPool, ManyShortLoopsInARow) {
  for (const int cpus : {1, 2, 3}) {
    ThreadPool pool(3, {.cpus = cpus});
    std::atomic<int> sum{0};
    for (int round = 0; round < 2000; ++round) {
      pool.for_each(4, [&](std::size_t i, std::size_t) { sum += static_cast<int>(i); });
    }
    EXPECT_EQ(sum, 2000 * 6);
  }
}

TEST(ThreadPool, WorkersShareALoop) {
  ThreadPool pool(2, {.cpus = 2});
  std::atomic<int> inside{0};
  pool.for_each(2, [&](std::size_t, std::size_t) {  // ends only if two threads are in it at once
    ++inside;
    while (inside < 2) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(inside, 2);
}

TEST(ThreadPool, WorksWithTheThreadsItGets) {
  ThreadSource source{.cpus = 8};
  int left = 2;
  source.start = [&](std::function<void()> body) {
    if (left-- == 0) {
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    return std::thread(std::move(body));
  };
  ThreadPool pool(8, source);
  EXPECT_EQ(pool.size(), 3u);
  expect_every_index_once(pool);
}

TEST(ThreadPool, WorksWhereTheSystemRefusesThreads) {
  const RefusedThreads refused;
  ThreadPool pool(8);
  EXPECT_EQ(pool.size(), 1u);
  expect_every_index_once(pool);
}

TEST(ThreadPool, RethrowsAndStaysUsable) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.for_each(100,
                             [](std::size_t i, std::size_t) {
                               if (i == 37) {
                                 throw std::runtime_error("37");
                               }
                             }),
               std::runtime_error);
  std::atomic<int> calls{0};
  pool.for_each(10, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

TEST(Executor, RunsOnTheCallerWithoutAPool) {
  const Executor serial;
  EXPECT_EQ(serial.workers(), 1u);
  std::vector<std::size_t> order;
  serial.for_each(4, [&](std::size_t i, std::size_t worker) {
    EXPECT_EQ(worker, 0u);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace moco
