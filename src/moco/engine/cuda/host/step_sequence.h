// Which kernels the parts of a search consist of, in their order.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cuda/host/batch_plan.h"

namespace moco::cuda {

/// Enqueues the kernels of a batch; what the plan points to must be there when they run.
class StepSequence {
 public:
  StepSequence(const BatchSpec& spec, const BatchPlan& plan, cudaStream_t stream)
      : spec_(spec), plan_(plan), stream_(stream) {}

  /// θ⁰.
  void init();
  void update();
  void sample();

  /// From now on waits for every kernel and appends its name and milliseconds to `times`; not any more with null.
  void record_times(std::vector<std::pair<std::string, float>>* times) { times_ = times; }

 private:
  void kernel(const char* name, const std::function<void()>& launch);
  void run_network(const NetworkOffsets& net);
  void run_tsp_block(const NetworkOffsets& net, int block);
  void run_gcn_block(const NetworkOffsets& net, int block);

  const BatchSpec& spec_;
  const BatchPlan& plan_;
  cudaStream_t stream_;
  std::vector<std::pair<std::string, float>>* times_ = nullptr;
};

}  // namespace moco::cuda
