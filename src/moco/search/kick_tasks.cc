// A task's share of the time goes by the rounds that are left: tasks side by side are one round.
#include "moco/search/kick_tasks.h"

#include <algorithm>
#include <atomic>

#include "moco/core/ceil_div.h"

namespace moco {

void do_kick_tasks(std::vector<KickTask>& tasks, bool joinable, const Halt& halt,
                   const std::function<bool()>& interrupted, ThreadPool& pool, const KickBody& body) {
  const auto large =
      std::stable_partition(tasks.begin(), tasks.end(), [](const KickTask& task) { return !task.search->divides(); });
  const auto small_count = static_cast<std::size_t>(large - tasks.begin());
  const std::size_t width = joinable && small_count < pool.size() ? 1 : pool.size();
  std::atomic<std::size_t> small_left = small_count;
  std::atomic<std::size_t> large_left = tasks.size() - small_count;
  const auto go = [&](KickTask& task, const Executor& executor) {
    const std::size_t rounds = task.search->divides() ? large_left-- : ceil_div(small_left--, width) + large_left;
    const double left = halt.seconds() - halt.elapsed();
    body(task, Halt(Halt::Clock::now(), left / static_cast<double>(rounds), interrupted), executor);
  };
  if (width > 1) {
    Executor(pool).for_each(small_count, [&](std::size_t i, std::size_t) { go(tasks[i], Executor()); });
  }
  for (std::size_t i = width > 1 ? small_count : 0; i < tasks.size(); ++i) {
    go(tasks[i], Executor(pool));
  }
}

}  // namespace moco
