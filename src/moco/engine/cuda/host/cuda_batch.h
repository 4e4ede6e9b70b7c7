// A batch on the device: state, captured steps, and what the host may ask for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/cuda/host/batch_plan.h"
#include "moco/engine/cuda/host/batch_upload.h"
#include "moco/engine/cuda/host/step_sequence.h"

namespace moco::cuda {

/// The plan of a batch on the options' device: the fused network gives way where the device cannot place its clusters
/// or would run them one after the other.
BatchPlan plan_on_device(const BatchSpec& spec, CudaOptions options);

class DeviceSideBatch final : public CudaBatch {
 public:
  /// `bases` holds the spec's weights; `alone`: no other batch steps at the same time.
  DeviceSideBatch(BatchSpec spec, std::shared_ptr<const BaseWeights> bases, const CudaOptions& options,
                  std::shared_ptr<DeviceContext> context, bool alone);
  ~DeviceSideBatch() override;

  void begin() override;
  void sample() override;
  void update() override;
  std::vector<TrajectoryStatus> status() override;
  Solution best_solution(std::size_t trajectory) override;
  std::vector<float> theta(std::size_t trajectory) override;
  TrajectorySnapshot snapshot(std::size_t trajectory) override;
  void retire(std::size_t trajectory) override;

  std::vector<std::vector<TrajectoryStatus>> advance(int steps) override;
  int steps_at_once() const override { return kStatusRing; }
  /// Appends the status after each of the last `count` steps, at most steps_at_once(); waits for them.
  void last_steps(int count, std::vector<std::vector<TrajectoryStatus>>& out);
  void set_theta(std::size_t trajectory, std::span<const float> theta) override;
  void set_features(std::span<const float> rows, std::span<const float> global) override;
  void wait() override;
  std::vector<std::pair<std::string, float>> profile() override;

 private:
  /// Kernels that run one by one the first times (which also loads them) and are captured and replayed then.
  struct Phase {
    explicit Phase(int first_runs) : before_capture(first_runs) {}
    Graph graph;
    int before_capture;
    int runs = 0;
  };

  int steps_together() const;
  void enqueue_steps(int count);
  void run(Phase& phase, const std::function<void()>& enqueue);
  void start_waiting();
  std::vector<TrajectoryState> initial_states();
  void read_ring(int first_step, int count, std::vector<std::vector<TrajectoryStatus>>& out);
  TrajectoryState state(std::size_t trajectory) const;
  template <typename T>
  void upload(T* device, const T* host, std::size_t count);
  template <typename T>
  std::vector<T> fetch(const T* device, std::size_t count) const;

  BatchSpec spec_;
  std::shared_ptr<const BaseWeights> bases_;
  std::shared_ptr<DeviceContext> context_;
  BatchPlan plan_;
  StepSequence kernels_;
  std::unique_ptr<DeviceBuffer> memory_;
  std::unique_ptr<BatchUpload> constants_;
  std::unique_ptr<DeviceBuffer> given_;  ///< feature rows, then global features
  std::vector<bool> active_;
  std::vector<TrajectoryStatus> last_status_;
  int steps_ = 0;  ///< sampled since begin()
  // An update waits for the sampling after it, such steps for others, until somebody looks.
  bool update_waits_ = false;
  int steps_waiting_ = 0;
  Phase sample_phase_{1};
  Phase update_phase_{1};
  Phase step_phase_{32};  ///< update and sampling; often only the first and the few that are left over
  Phase steps_phase_{0};  ///< steps_together() of them
};

}  // namespace moco::cuda
