// A batch on the device: one part, or several that step side by side, each on a stream of its own. Most kernels wait
// for memory more than they compute; those of one part fill what those of another leave idle.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/cuda/host/batch_part.h"

namespace moco::cuda {

class SplitBatch final : public CudaBatch {
 public:
  /// A context per part, or more; `bases` holds the weights of all. `options` are those that the plan was made with.
  SplitBatch(PlannedBatch planned, const CudaOptions& options, const std::shared_ptr<const BaseWeights>& bases,
             const std::vector<std::shared_ptr<DeviceContext>>& contexts);

  void begin() override;
  void sample() override;
  void update() override;
  void set_budget(int steps) override;
  std::vector<TrajectoryStatus> status() override;
  Solution best_solution(std::size_t trajectory) override;
  std::vector<Solution> elite(std::size_t trajectory) override;
  std::vector<float> theta(std::size_t trajectory) override;
  TrajectorySnapshot snapshot(std::size_t trajectory) override;
  void retire(std::size_t trajectory) override;

  std::vector<std::vector<TrajectoryStatus>> advance(int steps) override;
  int steps_at_once() const override { return kStatusRing; }
  void set_theta(std::size_t trajectory, std::span<const float> theta) override;
  void set_theta_from_device(std::size_t trajectory, std::span<const float> theta) override;
  ArrayView array(SearchArray which, std::size_t trajectory) override;
  void set_model(const ModelConfig& config, std::span<const float> weights) override;
  void set_features(std::span<const float> rows, std::span<const float> global) override;
  void wait() override;
  /// Part after part: the times of a kernel do not overlap with others.
  std::vector<std::pair<std::string, float>> profile() override;

 private:
  /// The part of a trajectory and its number there.
  std::pair<BatchPart*, std::size_t> find(std::size_t trajectory) const;

  CudaOptions options_;
  std::shared_ptr<DeviceContext> first_context_;
  std::vector<std::unique_ptr<BatchPart>> parts_;
  std::vector<std::size_t> first_;  ///< trajectory of each part
};

}  // namespace moco::cuda
