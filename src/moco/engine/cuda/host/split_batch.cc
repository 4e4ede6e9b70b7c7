// Steps are enqueued for all parts in turn, so that they stay side by side.
#include "moco/engine/cuda/host/split_batch.h"

#include <algorithm>
#include <iterator>

namespace moco::cuda {

SplitBatch::SplitBatch(PlannedBatch planned, const CudaOptions& options,
                       const std::shared_ptr<const BaseWeights>& bases,
                       const std::vector<std::shared_ptr<DeviceContext>>& contexts)
    : options_(options), first_context_(contexts.front()) {
  std::size_t trajectories = 0;
  for (std::size_t i = 0; i < planned.parts.size(); ++i) {
    parts_.push_back(std::make_unique<BatchPart>(std::move(planned.parts[i]), bases, contexts[i]));
    first_.push_back(trajectories);
    trajectories += parts_.back()->trajectories();
  }
}

std::pair<BatchPart*, std::size_t> SplitBatch::find(std::size_t trajectory) const {
  const auto part = static_cast<std::size_t>(std::ranges::upper_bound(first_, trajectory) - first_.begin()) - 1;
  return {parts_[part].get(), trajectory - first_[part]};
}

void SplitBatch::begin() {
  for (const auto& part : parts_) {
    part->begin();
  }
}

void SplitBatch::sample() {
  for (const auto& part : parts_) {
    part->sample();
  }
}

void SplitBatch::update() {
  for (const auto& part : parts_) {
    part->update();
  }
}

void SplitBatch::set_budget(int steps) {
  for (const auto& part : parts_) {
    part->set_budget(steps);
  }
}

std::vector<std::vector<TrajectoryStatus>> SplitBatch::advance(int steps) {
  std::vector<std::vector<TrajectoryStatus>> all(static_cast<std::size_t>(steps));
  for (int done = 0; done < steps;) {
    const int count = std::min(steps - done, steps_at_once());
    for (int i = 0; i < count; ++i) {
      for (const auto& part : parts_) {
        part->update();
        part->sample();
      }
    }
    for (const auto& part : parts_) {
      const std::vector<std::vector<TrajectoryStatus>> own = part->last_steps(count);
      for (std::size_t i = 0; i < own.size(); ++i) {
        std::ranges::copy(own[i], std::back_inserter(all[static_cast<std::size_t>(done) + i]));
      }
    }
    done += count;
  }
  return all;
}

std::vector<TrajectoryStatus> SplitBatch::status() {
  std::vector<TrajectoryStatus> all;
  for (const auto& part : parts_) {
    std::ranges::copy(part->status(), std::back_inserter(all));
  }
  return all;
}

Solution SplitBatch::best_solution(std::size_t trajectory) {
  const auto [part, own] = find(trajectory);
  return part->best_solutions(own, 1).at(0);
}

std::vector<Solution> SplitBatch::elite(std::size_t trajectory) {
  const auto [part, own] = find(trajectory);
  return part->best_solutions(own, kEliteSize);
}

std::vector<float> SplitBatch::theta(std::size_t trajectory) {
  const auto [part, own] = find(trajectory);
  return part->theta(own);
}

TrajectorySnapshot SplitBatch::snapshot(std::size_t trajectory) {
  const auto [part, own] = find(trajectory);
  return part->snapshot(own);
}

void SplitBatch::retire(std::size_t trajectory) {
  const auto [part, own] = find(trajectory);
  part->retire(own);
}

void SplitBatch::set_theta(std::size_t trajectory, std::span<const float> theta) {
  const auto [part, own] = find(trajectory);
  part->set_theta(own, theta);
}

void SplitBatch::set_theta_from_device(std::size_t trajectory, std::span<const float> theta) {
  const auto [part, own] = find(trajectory);
  part->set_theta_from_device(own, theta);
}

ArrayView SplitBatch::array(SearchArray which, std::size_t trajectory) {
  const auto [part, own] = find(trajectory);
  return part->array(which, own);
}

void SplitBatch::set_model(const ModelConfig& config, std::span<const float> weights) {
  const DeviceScope scope(options_.device);
  std::vector<PlannedPart> planned;
  for (const auto& part : parts_) {  // which may refuse, before anything has changed
    BatchSpec spec = with_model(part->spec(), config, weights);
    BatchPlan plan(spec, options_, DeviceOccupancy(), parts_.size() == 1);
    planned.push_back({std::move(spec), std::move(plan)});
  }
  if (planned.empty()) {
    return;
  }
  const auto bases = std::make_shared<const BaseWeights>(planned.front().spec, first_context_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->set_model(std::move(planned[i]), bases);
  }
}

void SplitBatch::set_features(std::span<const float> rows, std::span<const float> global) {
  parts_.front()->set_features(rows, global);
}

void SplitBatch::wait() {
  for (const auto& part : parts_) {
    part->wait();
  }
}

std::vector<std::pair<std::string, float>> SplitBatch::profile() {
  KernelTimes times;
  for (const auto& part : parts_) {
    wait();
    std::ranges::copy(part->profile(), std::back_inserter(times));
  }
  return times;
}

}  // namespace moco::cuda
