// A batch on the device: state, captured steps, and what the host may ask for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cuda/batch_plan.h"
#include "moco/engine/cuda/batch_upload.h"
#include "moco/engine/cuda/cuda_engine.h"

namespace moco::cuda {

/// The plan of a batch on the options' device: the fused network gives way where the device cannot place its clusters
/// or would run them one after the other.
BatchPlan plan_on_device(const BatchSpec& spec, CudaOptions options);

class DeviceSideBatch final : public CudaBatch {
 public:
  /// `alone`: no other batch steps at the same time.
  DeviceSideBatch(BatchSpec spec, const CudaOptions& options, std::shared_ptr<DeviceContext> context, bool alone);
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
  /// A step that runs kernel by kernel the first times (which also loads the kernels) and is captured and replayed
  /// then, while the device is still busy with those.
  struct Phase {
    Graph graph;
    int runs = 0;
  };

  void run_sample();
  void run_update();
  void run_step();
  void finish_update();
  void run_network(const NetworkOffsets& net);
  void run_gcn_block(const NetworkOffsets& net, int block);
  void run_init();
  void run(Phase& phase, void (DeviceSideBatch::*body)());
  void kernel(const char* name, const std::function<void()>& launch);
  std::vector<TrajectoryState> initial_states();
  void read_ring(int first_step, int count, std::vector<std::vector<TrajectoryStatus>>& out);
  TrajectoryState state(std::size_t trajectory) const;
  template <typename T>
  void upload(T* device, const T* host, std::size_t count);
  template <typename T>
  std::vector<T> fetch(const T* device, std::size_t count) const;

  BatchSpec spec_;
  std::shared_ptr<DeviceContext> context_;
  BatchPlan plan_;
  std::unique_ptr<DeviceBuffer> memory_;
  std::unique_ptr<BatchUpload> constants_;
  std::unique_ptr<DeviceBuffer> given_;  ///< feature rows, then global features
  std::vector<bool> active_;
  std::vector<TrajectoryStatus> last_status_;
  int steps_ = 0;              ///< sampled since begin()
  bool update_waits_ = false;  ///< update() was called: it runs with the next sample(), or when somebody looks
  Phase sample_phase_;
  Phase update_phase_;
  Phase step_phase_;  ///< both
  std::vector<std::pair<std::string, float>>* profile_ = nullptr;
};

}  // namespace moco::cuda
