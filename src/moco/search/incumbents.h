// Better solutions on their way from the threads that find them to the caller's, who is told of some and of the last.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "moco/core/halt.h"
#include "moco/solve.h"

namespace moco {

class Incumbents {
 public:
  /// Of consecutive instances from number `first` on; `halt` has the clock.
  Incumbents(const SolveOptions& options, std::span<const InstancePtr> instances, std::size_t first, const Halt& halt);

  /// A solution of about this cost, which is only asked for when the caller wants to hear of it now. From any thread.
  void offer(std::size_t instance, double cost, const std::function<Solution()>& solution);
  /// Tells what was offered, on the thread that made this; elsewhere nothing happens.
  void tell();
  /// The result of an instance, told of unless it has been. On the thread that made this.
  void finish(std::size_t instance, const Solution& result, double cost);

 private:
  struct Offer {
    std::size_t instance = 0;
    Solution solution;
    double cost = 0.0;
  };

  void tell(std::size_t instance, const Solution& solution, double cost);

  const SolveOptions& options_;
  std::span<const InstancePtr> instances_;
  std::size_t first_;
  const Halt& halt_;
  std::mutex mutex_;
  std::vector<double> best_;     ///< cost of the best solution offered, per instance
  std::vector<double> told_;     ///< and told of
  std::vector<double> told_at_;  ///< seconds
  std::optional<Offer> offer_;
  const std::thread::id caller_ = std::this_thread::get_id();
};

}  // namespace moco
