// Instances of training: functions of seed, step and index, however they are made.
#include "moco/training/tasks.h"

#include <gtest/gtest.h>

#include "refused_threads.h"
#include "unit/training/support.h"

namespace moco {
namespace {

using training_test::tiny_config;

void expect_same(const TrainingTask& a, const TrainingTask& b) {
  EXPECT_EQ(a.graph.length, b.graph.length);
  EXPECT_EQ(a.graph.neighbours, b.graph.neighbours);
  EXPECT_EQ(a.stream.lo, b.stream.lo);
  EXPECT_EQ(a.stream.hi, b.stream.hi);
}

TEST(Tasks, DoNotDependOnSharesThreadsOrPreparation) {
  const TrainConfig config = tiny_config();
  const TaskSource source(config);
  ThreadPool pool(3);
  TaskPipeline pipeline(config, {2, 5}, 2);
  for (const int step : {0, 1, 2, 5, 1}) {
    const auto all = source.make(step, {0, 6}, Executor());
    const auto part = source.make(step, {2, 5}, Executor(pool));
    const auto prepared = pipeline.take(step);
    ASSERT_EQ(part.size(), 3u);
    ASSERT_EQ(prepared.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      expect_same(all[2 + i], part[i]);
      expect_same(all[2 + i], prepared[i]);
    }
  }
}

TEST(Tasks, AreTheSameWhereTheSystemRefusesThreads) {
  const TrainConfig config = tiny_config();
  const auto expected = TaskSource(config).make(1, {0, 2}, Executor());
  const RefusedThreads refused;
  TaskPipeline pipeline(config, {0, 2}, 4);
  pipeline.take(0);
  const auto tasks = pipeline.take(1);
  ASSERT_EQ(tasks.size(), 2u);
  expect_same(tasks[0], expected[0]);
  expect_same(tasks[1], expected[1]);
}

TEST(Tasks, AreFreshInEveryStepAndForEverySeed) {
  TrainConfig config = tiny_config();
  const auto one = TaskSource(config).make(0, {0, 2}, Executor());
  const auto next = TaskSource(config).make(1, {0, 2}, Executor());
  config.seed = 2;
  const auto other = TaskSource(config).make(0, {0, 2}, Executor());
  EXPECT_NE(one[0].graph.length, one[1].graph.length);
  EXPECT_NE(one[0].graph.length, next[0].graph.length);
  EXPECT_NE(one[0].graph.length, other[0].graph.length);
  EXPECT_NE(one[0].stream.lo, next[0].stream.lo);
}

TEST(Shares, CoverAllItemsInOrder) {
  struct Many final : Communicator {
    int rank() const override { return 0; }
    int size() const override { return 4; }
    int local_rank() const override { return 0; }
    int local_size() const override { return 4; }
    std::vector<double> gather(std::span<const double>) override { return {}; }
    std::vector<std::string> gather(std::span<const std::string>) override { return {}; }
    void abort(int) override {}
    std::uint64_t bytes_sent() const override { return 0; }
  };
  const Many many;
  for (const std::size_t count : {std::size_t{0}, std::size_t{3}, std::size_t{9}, std::size_t{128}}) {
    std::size_t next = 0;
    for (int rank = 0; rank < 4; ++rank) {
      EXPECT_EQ(many.share(count, rank).begin, next);
      next = many.share(count, rank).end;
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace moco
