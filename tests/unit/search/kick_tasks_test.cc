// Who does which kicks, and in which share of the time.
#include "moco/search/kick_tasks.h"

#include <map>
#include <mutex>

#include <gmock/gmock.h>

namespace moco {
namespace {

struct Done {
  double seconds = 0.0;     ///< that it was given
  std::size_t workers = 0;  ///< that it had
};

class Search final : public KickSearch {
 public:
  explicit Search(bool divided) : divided_(divided) {}
  std::int64_t run(std::vector<Index>&, StreamKey, const KickBudget&) const override { return 0; }
  bool divides() const override { return divided_; }

 private:
  bool divided_;
};

constexpr double kSeconds = 1e6;  // of which nothing goes by here

/// What became of tasks 0, 1, … in the order in which they were begun.
std::vector<std::pair<std::size_t, Done>> done(const std::vector<bool>& divided, bool joinable, int threads) {
  std::vector<KickTask> tasks;
  for (const bool by_all : divided) {
    tasks.push_back({tasks.size(), std::make_unique<Search>(by_all)});
  }
  ThreadPool pool(threads);
  std::mutex mutex;
  std::vector<std::pair<std::size_t, Done>> all;
  const Halt halt(Halt::Clock::now(), kSeconds);
  do_kick_tasks(tasks, joinable, halt, {}, pool, [&](KickTask& task, const Halt& own, const Executor& executor) {
    const std::scoped_lock lock(mutex);
    all.push_back({task.instance, {own.seconds(), executor.workers()}});
  });
  return all;
}

TEST(KickTasks, EachHasAnEqualShareOfWhatIsLeft) {
  const auto all = done({false, false, false, false}, true, 1);
  ASSERT_EQ(all.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(all[i].first, i);
    EXPECT_NEAR(all[i].second.seconds, kSeconds / static_cast<double>(4 - i), 1.0);
  }
}

TEST(KickTasks, ThoseSideBySideAreOneRound) {
  std::map<int, int> rounds;  // how many tasks had a share of 1, 1/2, 1/3
  for (const auto& [instance, one] : done({false, false, false, false, false}, true, 2)) {
    EXPECT_EQ(one.workers, 1u);
    ++rounds[static_cast<int>(kSeconds / one.seconds + 0.5)];
  }
  EXPECT_EQ(rounds, (std::map<int, int>{{1, 2}, {2, 2}, {3, 1}}));
}

TEST(KickTasks, FewThatManyThreadsHelpWithGoOneAfterTheOther) {
  for (const auto& [instance, one] : done({false, false}, true, 3)) {
    EXPECT_EQ(one.workers, 3u);
    EXPECT_NEAR(one.seconds, kSeconds / static_cast<double>(2 - instance), 1.0);
  }
  for (const auto& [instance, one] : done({false, false}, false, 3)) {
    EXPECT_EQ(one.workers, 1u) << "more threads would not help";
    EXPECT_NEAR(one.seconds, kSeconds, 1.0);
  }
}

TEST(KickTasks, DividedOnesComeLastAndByAllThreads) {
  const auto all = done({true, false, true, false}, true, 2);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_THAT((std::vector{all[0].first, all[1].first}), ::testing::UnorderedElementsAre(1, 3));
  EXPECT_NEAR(all[0].second.seconds, kSeconds / 3.0, 1.0);
  EXPECT_NEAR(all[1].second.seconds, kSeconds / 3.0, 1.0);
  EXPECT_EQ(all[2].first, 0u);
  EXPECT_EQ(all[2].second.workers, 2u);
  EXPECT_NEAR(all[2].second.seconds, kSeconds / 2.0, 1.0);
  EXPECT_EQ(all[3].first, 2u);
  EXPECT_NEAR(all[3].second.seconds, kSeconds, 1.0);
}

}  // namespace
}  // namespace moco
