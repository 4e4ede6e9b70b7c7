// The kicks of several instances: which of them go side by side, by which threads, and how they share a time limit.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "moco/core/halt.h"
#include "moco/core/thread_pool.h"
#include "moco/policy/kicks.h"

namespace moco {

struct KickTask {
  std::size_t instance = 0;
  std::unique_ptr<KickSearch> search;
};

/// Does a task by the executor's threads before its halt is due. From any thread.
using KickBody = std::function<void(KickTask& task, const Halt& halt, const Executor& executor)>;

/// Does all tasks before `halt` is due. Those of searches that divide go one after the other; the others side by side,
/// one to a thread, unless there are too few of them for all threads and more threads on one of them help (`joinable`).
/// Under a time limit each has the same share of what is left.
void do_kick_tasks(std::vector<KickTask>& tasks, bool joinable, const Halt& halt,
                   const std::function<bool()>& interrupted, ThreadPool& pool, const KickBody& body);

}  // namespace moco
