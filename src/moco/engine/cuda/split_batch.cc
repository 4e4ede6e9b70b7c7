// Steps are enqueued for all parts in turn, so that they stay side by side.
#include "moco/engine/cuda/split_batch.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace moco::cuda {

namespace {

// Measured: MIS gains from two parts at 32 trajectories and more. The TSP loses while one part does not fill the
// device, and gains from four parts where the states of a quarter's edges stay in the second-level cache.
constexpr std::size_t kFewest = 16;                 // trajectories
constexpr std::int64_t kFewestVariables = 300'000;  // TSP
constexpr std::int64_t kCachedVariables = 160'000;  // TSP: 256 bytes each

/// The copy of entry `index` in `target`, made when it is asked for the first time.
template <typename T>
std::size_t copied(const std::vector<T>& source, std::size_t index, std::vector<T>& target,
                   std::map<std::size_t, std::size_t>& places) {
  const auto [place, is_new] = places.try_emplace(index, target.size());
  if (is_new) {
    target.push_back(source[index]);
  }
  return place->second;
}

}  // namespace

int parts_of(const BatchSpec& spec, const CudaOptions& options) {
  const std::size_t count = spec.trajectories.size();
  if (options.parts > 0) {
    return static_cast<int>(std::clamp<std::size_t>(count, 1, static_cast<std::size_t>(options.parts)));
  }
  if (count < kFewest) {
    return 1;
  }
  if (spec.config.problem != "tsp") {
    return 2;
  }
  std::int64_t variables = 0;
  for (const Trajectory& trajectory : spec.trajectories) {
    variables += spec.graphs[trajectory.graph]->variables;
  }
  return variables < kFewestVariables ? 1 : variables <= 4 * kCachedVariables ? 4 : 2;
}

std::vector<BatchSpec> split(const BatchSpec& spec, int parts) {
  const auto count = static_cast<std::size_t>(parts);
  std::vector<BatchSpec> specs;
  for (std::size_t part = 0; part < count; ++part) {
    BatchSpec& own = specs.emplace_back();
    own.config = spec.config;
    own.loop = spec.loop;
    own.track_entropy = spec.track_entropy;
    own.keep_samples = spec.keep_samples;
    std::map<std::size_t, std::size_t> graphs;
    std::map<std::size_t, std::size_t> weights;
    const std::size_t end = spec.trajectories.size() * (part + 1) / count;
    for (std::size_t i = spec.trajectories.size() * part / count; i < end; ++i) {
      Trajectory& trajectory = own.trajectories.emplace_back(spec.trajectories[i]);
      trajectory.graph = copied(spec.graphs, trajectory.graph, own.graphs, graphs);
      trajectory.weights = copied(spec.weights, trajectory.weights, own.weights, weights);
    }
  }
  return specs;
}

SplitBatch::SplitBatch(std::vector<BatchSpec> parts, const CudaOptions& options,
                       const std::vector<std::shared_ptr<DeviceContext>>& contexts) {
  std::size_t trajectories = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    first_.push_back(trajectories);
    trajectories += parts[i].trajectories.size();
    parts_.push_back(std::make_unique<DeviceSideBatch>(std::move(parts[i]), options, contexts[i]));
  }
}

std::pair<DeviceSideBatch*, std::size_t> SplitBatch::find(std::size_t trajectory) const {
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
      std::vector<std::vector<TrajectoryStatus>> own;
      part->last_steps(count, own);
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
  return part->best_solution(own);
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

void SplitBatch::set_features(std::span<const float> rows, std::span<const float> global) {
  parts_.front()->set_features(rows, global);
}

void SplitBatch::wait() {
  for (const auto& part : parts_) {
    part->wait();
  }
}

std::vector<std::pair<std::string, float>> SplitBatch::profile() {
  std::vector<std::pair<std::string, float>> times;
  for (const auto& part : parts_) {
    wait();
    std::ranges::move(part->profile(), std::back_inserter(times));
  }
  return times;
}

}  // namespace moco::cuda
