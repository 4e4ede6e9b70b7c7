#include "moco/core/thread_pool.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace moco {
namespace {

TEST(ThreadPool, CallsEveryIndexOnce) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), static_cast<std::size_t>(threads));
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
}

TEST(ThreadPool, ManyShortLoopsInARow) {
  ThreadPool pool(3);
  std::atomic<int> sum{0};
  for (int round = 0; round < 2000; ++round) {
    pool.for_each(4, [&](std::size_t i, std::size_t) { sum += static_cast<int>(i); });
  }
  EXPECT_EQ(sum, 2000 * 6);
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
