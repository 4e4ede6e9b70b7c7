// A model: the update rule of the search with its weights, and the checkpoint file that holds both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "moco/types.h"

namespace moco {

/// How θ is set and updated: by the learned networks, or by Adam on the policy gradient from a heuristic start
/// (θ⁰ = −d for tours, 0 for sets), the untrained baseline.
enum class UpdateRule { gnn, adam };
/// GCN as printed in the paper, or as the authors' program computes it (docs/method.md has both formulas).
enum class GcnVariant { paper, authors };
/// How node and edge states enter the global update.
enum class GlobalPooling { sum, mean, max };
/// What the network emits: the next θ itself (the paper), a step from the present one, or a step from the first
/// (docs/method.md §4).
enum class ThetaUpdate { absolute, residual, anchored };

/// Edges that the network is told to be part of a good tour: as the tour passes them (the paper), or in both directions
/// where both are as long.
enum class Membership { directed, undirected };

/// The 32 best solutions: all that were sampled, of equal ones the older first (the paper); no solution twice; or no
/// solution twice and of equally good ones the newer first, so that the best one moves on where many are equally good.
enum class PoolRule { paper, distinct, newest };

struct ModelConfig {
  std::string family = "tsp";  ///< of problems that it is for; decides the architecture (Problem::network)
  UpdateRule rule = UpdateRule::gnn;
  int hidden = 128;
  int blocks = 3;
  GcnVariant gcn = GcnVariant::paper;
  GlobalPooling global_pooling = GlobalPooling::sum;
  ThetaUpdate theta_update = ThetaUpdate::absolute;
  Membership membership = Membership::directed;  ///< variables on edges only
  double gradient_scale = 1.0;                   ///< factor of the gradient and its averages among the features
  PoolRule pool = PoolRule::paper;
  /// Variables on nodes only: in place of the constant, GNN_update sees how many neighbours a node has in the best
  /// solutions, on average.
  bool crowding = false;
  /// mis only: both networks see what a node weighs, as a share of the mean weight.
  bool node_weights = false;
  double learning_rate = 0.2;  ///< adam only

  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

struct Model {
  ModelConfig config;
  std::vector<float> weights;  ///< flat, in the order of ParameterLayout (model/parameters.h); empty for adam
  std::map<std::string, std::string> metadata;  ///< free text of the checkpoint (training set-up, licence, …)
};

/// The baseline model "adam" for a family of problems.
Model adam_model(std::string_view family);
/// Weights as freshly initialised for training (truncated normal, 1/√fan-in), from a seed.
Model random_model(const ModelConfig& config, std::uint64_t seed);

/// Reads a checkpoint (safetensors, see docs/checkpoint-format.md). Throws InputError on anything malformed.
Model load_model(const std::filesystem::path& file);
/// Same from memory; `name` stands for the file in messages.
Model parse_model(std::string_view content, const std::string& name);
/// Writes a checkpoint atomically.
void save_model(const std::filesystem::path& file, const Model& model);

}  // namespace moco
