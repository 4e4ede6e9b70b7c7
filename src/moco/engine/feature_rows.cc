// Rows from a snapshot, so that they are there whatever engine it came from.
#include "moco/engine/feature_rows.h"

#include <bit>

#include <fmt/format.h>

#include "moco/engine/features.h"
#include "moco/problem.h"

namespace moco {

float crowding_of(const DecisionGraph& graph, std::span<const std::uint32_t> membership, std::size_t solutions,
                  Index node) {
  int members = 0;
  for (const Index neighbour : neighbours_of(graph, node)) {
    members += std::popcount(membership[static_cast<std::size_t>(neighbour)]);
  }
  return static_cast<float>(members) / static_cast<float>(solutions);
}

std::vector<std::string> variable_feature_names(const ModelConfig& config) {
  const bool edges = find_family(config.family).network() == NetworkKind::graph_network;
  std::vector<std::string> names = {edges ? "distance" : config.crowding ? "crowding" : "one"};
  for (int l = 1; l <= kEliteSize; ++l) {
    names.push_back(fmt::format("elite_{}", l));
  }
  for (int m = 0; m < kMomenta; ++m) {
    names.push_back(fmt::format("momentum_{}", momentum_decay(m)));
  }
  names.insert(names.end(), {"gradient", "theta"});
  if (config.node_weights) {
    names.emplace_back("weight");
  }
  return names;
}

std::vector<std::string> global_feature_names() {
  std::vector<std::string> names;
  for (int l = 1; l <= kEliteSize; ++l) {
    names.push_back(fmt::format("gap_{}", l));
  }
  names.emplace_back("improvement");
  for (int i = 0; i < kTimescales; ++i) {
    names.push_back(fmt::format("step_{:.0f}", timescale(i)));
  }
  names.emplace_back("spent");
  return names;
}

std::vector<float> feature_rows(const TrajectorySnapshot& snapshot, const DecisionGraph& graph,
                                const Construction& construction, const ModelConfig& config) {
  const auto columns = static_cast<std::size_t>(variable_features(config, true));
  std::vector<float> rows(snapshot.theta.size() * columns);
  for (std::size_t v = 0; v < snapshot.theta.size(); ++v) {
    const auto variable = static_cast<Index>(v);
    float* row = rows.data() + v * columns;
    const float instance = config.crowding
                               ? crowding_of(graph, snapshot.membership, snapshot.elite_costs.size(), variable)
                               : construction.instance_feature(variable);
    variable_feature_row(instance, snapshot.membership[v], snapshot.momenta, snapshot.gradient, snapshot.theta, v,
                         static_cast<float>(config.gradient_scale), row);
    if (config.node_weights) {
      row[kWeightColumn] = weight_feature(graph, variable);
    }
  }
  return rows;
}

}  // namespace moco
