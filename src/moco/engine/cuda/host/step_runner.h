// Runs a batch's kernels: one by one the first times, which also loads them, then captured and replayed as graphs.
#pragma once

#include <functional>

#include "moco/engine/cuda/batch/kernel_queue.h"
#include "moco/engine/cuda/host/deferred_steps.h"
#include "moco/engine/cuda/plan/batch_plan.h"

namespace moco::cuda {

class StepRunner final : public DeferredSteps::Runner {
 public:
  /// The batch may change until the kernels that it concerns are first captured.
  StepRunner(const BatchPlan& plan, const DeviceBatch& batch, bool track_entropy, DeviceContext& context);

  /// θ⁰.
  void run_begin();
  /// The update goes on from a θ and samples that another one has led to.
  void run_take_over();
  /// Graphs made so far are of another batch.
  void forget();
  void run_sample() override;
  void run_update() override;
  void run_step() override;
  void run_steps() override;
  /// Update and sample once, kernel by kernel.
  KernelTimes profile();

 private:
  struct Phase {
    explicit Phase(int first_runs) : before_capture(first_runs) {}
    Graph graph;
    int before_capture;
    int runs = 0;
  };

  void enqueue_sample(SamplesOf which);
  void enqueue_update();
  void enqueue_steps(int count);
  void run(Phase& phase, const std::function<void()>& enqueue);

  const Step& step_;
  const DeviceBatch& batch_;
  bool track_entropy_;
  DeviceContext& context_;
  KernelQueue queue_;
  bool sampled_ = false;  ///< since begin()
  Phase sample_phase_{1};
  Phase update_phase_{1};
  Phase step_phase_{32};  ///< often only the first steps and the few that are left over
  Phase steps_phase_{0};
};

}  // namespace moco::cuda
