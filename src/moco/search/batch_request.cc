// From requests to the lists of a batch.
#include "moco/search/batch_request.h"

#include <map>

namespace moco {

namespace {

/// Index of a key in a list that grows by the keys it has not met.
template <typename Key, typename Entry>
std::size_t place_of(const Key& key, const Entry& entry, std::map<Key, std::size_t>& places, std::vector<Entry>& list) {
  const auto [place, is_new] = places.try_emplace(key, list.size());
  if (is_new) {
    list.push_back(entry);
  }
  return place->second;
}

}  // namespace

BatchSpec batch_of(const ModelConfig& config, const LoopOptions& loop, std::span<const WeightSet> weights,
                   std::span<const TrajectoryRequest> trajectories) {
  BatchSpec spec;
  spec.config = config;
  spec.loop = loop;
  std::map<const DecisionGraph*, std::size_t> graphs;
  std::map<std::size_t, std::size_t> sets;
  for (const TrajectoryRequest& wanted : trajectories) {
    spec.trajectories.push_back({place_of(wanted.graph, wanted.graph, graphs, spec.graphs),
                                 place_of(wanted.weights, weights[wanted.weights], sets, spec.weights), wanted.stream,
                                 wanted.start, wanted.warm_start});
  }
  return spec;
}

}  // namespace moco
