// What GNN_update sees of a search state, by name: for whoever writes an update rule of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "moco/engine/engine.h"
#include "moco/policy/construction.h"

namespace moco {

/// Names of the columns of feature_rows: "distance" or "one", "elite_1" … "elite_32", "momentum_0.1" …, "gradient",
/// "theta", and "weight" where the model sees that; with crowding, "crowding" comes first instead.
std::vector<std::string> variable_feature_names(const ModelConfig& config);
/// Names of TrajectorySnapshot::global_features: "gap_1" … "gap_32", "improvement", "step_1" … "step_100000", "spent".
std::vector<std::string> global_feature_names();

/// How many neighbours of a node are in the best solutions, of which there are `solutions`, on average.
float crowding_of(const DecisionGraph& graph, std::span<const std::uint32_t> membership, std::size_t solutions,
                  Index node);

/// Features of all variables, row by row, from an engine's snapshot after sample(). The gradient and its averages are
/// multiplied by the model's gradient_scale.
std::vector<float> feature_rows(const TrajectorySnapshot& snapshot, const DecisionGraph& graph,
                                const Construction& construction, const ModelConfig& config);

}  // namespace moco
