// One part of a batch on the device, with a stream of its own: memory, state, steps, and what the host may ask for.
// Kernels are enqueued and the host goes on; only questions about results wait.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "moco/engine/cuda/host/constants.h"
#include "moco/engine/cuda/host/deferred_steps.h"
#include "moco/engine/cuda/host/step_runner.h"
#include "moco/engine/cuda/plan/batch_plan.h"
#include "moco/engine/cuda/plan/planned_batch.h"
#include "moco/engine/cuda/weights/base_weights.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

class BatchPart {
 public:
  /// `bases` holds the spec's weights.
  BatchPart(PlannedPart planned, std::shared_ptr<const BaseWeights> bases, std::shared_ptr<DeviceContext> context);
  ~BatchPart();
  BatchPart(const BatchPart&) = delete;
  BatchPart& operator=(const BatchPart&) = delete;

  void begin();
  void sample();
  void update();
  void set_budget(int steps);
  std::size_t trajectories() const { return active_.size(); }
  /// The status after each of the last `count` steps, at most kStatusRing; waits for them.
  std::vector<std::vector<TrajectoryStatus>> last_steps(int count);
  std::vector<TrajectoryStatus> status();
  /// As best_of_elite.
  std::vector<Solution> best_solutions(std::size_t trajectory, int most);
  std::vector<float> theta(std::size_t trajectory);
  TrajectorySnapshot snapshot(std::size_t trajectory);
  void retire(std::size_t trajectory);

  /// What it was made from.
  const BatchSpec& spec() const { return planned_.spec; }
  /// Goes on with other networks or another rule, on the same trajectories.
  void set_model(PlannedPart planned, std::shared_ptr<const BaseWeights> bases);
  void set_theta(std::size_t trajectory, std::span<const float> theta);
  void set_theta_from_device(std::size_t trajectory, std::span<const float> theta);
  ArrayView array(SearchArray which, std::size_t trajectory);
  void set_features(std::span<const float> rows, std::span<const float> global);
  /// Waits for everything that was started.
  void wait();
  KernelTimes profile();

 private:
  /// Takes memory for the update's arrays, and fills what depends on weights and graphs alone. Returns what else is to
  /// be cleared before the first search.
  Region set_up();
  std::vector<std::vector<TrajectoryStatus>> read_ring(int first_step, int count);
  /// θ of a trajectory on the device, to be replaced by this many values.
  std::span<float> theta_to_set(std::size_t trajectory, std::size_t values);

  PlannedPart planned_;
  std::shared_ptr<const BaseWeights> bases_;
  std::shared_ptr<DeviceContext> context_;
  std::unique_ptr<DeviceBuffer> lasting_memory_;  ///< BatchPlan::lasting
  std::unique_ptr<DeviceBuffer> update_memory_;   ///< BatchPlan::of_update
  std::array<Region, 2> cleared_at_begin_;        ///< of both
  DeviceBatch batch_;
  std::unique_ptr<Constants> constants_;
  std::unique_ptr<DeviceBuffer> given_;  ///< feature rows, then global features
  StepRunner runner_;
  DeferredSteps steps_;
  int budget_ = 0;  ///< steps that the networks are told
  std::vector<bool> active_;
  std::vector<TrajectoryStatus> last_status_;
};

}  // namespace moco::cuda
