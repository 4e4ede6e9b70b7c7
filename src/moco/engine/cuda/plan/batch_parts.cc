// Parts keep the order of the trajectories.
#include "moco/engine/cuda/plan/batch_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "moco/engine/cuda/plan/device_family.h"

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
  if (device_family(spec.config.family) == DeviceFamily::sets) {
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
    BatchSpec& own = specs.emplace_back(spec);
    own.graphs.clear();
    own.weights.clear();
    own.trajectories.clear();
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

}  // namespace moco::cuda
