// Progress on its way from the threads that make it to the caller's.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "moco/solve.h"

namespace moco {

class ProgressRelay {
 public:
  /// To a function, which may be empty and has to outlive this, on the thread that makes this.
  explicit ProgressRelay(const std::function<void(const Progress&)>& to) : to_(to) {}

  bool wanted() const { return static_cast<bool>(to_); }
  /// From any thread. What other threads tell waits until the caller's has something to tell too; of theirs only what
  /// is better than before is kept.
  void tell(const Progress& progress);
  /// What still waits, on the caller's thread.
  void forward();

 private:
  const std::function<void(const Progress&)>& to_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::vector<Progress> waiting_;
  std::map<std::size_t, double> best_;  ///< of each instance that other threads told of
};

}  // namespace moco
