// State of one trajectory on the CPU, and the buffers a worker needs to advance one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "moco/engine/cpu/elite.h"
#include "moco/engine/cpu/network.h"
#include "moco/engine/cpu/partial_search.h"
#include "moco/engine/engine.h"
#include "moco/policy/construction.h"

namespace moco::cpu {

struct TrajectoryState {
  TrajectoryState(const DecisionGraph& decision_graph, const LoopOptions& loop, EliteRule elite_rule, StreamKey key,
                  Index start_node);

  const DecisionGraph* graph;
  std::unique_ptr<Construction> construction;
  std::unique_ptr<LocalSearch> local_search;  ///< null: none
  std::unique_ptr<PartialSearch> partial;     ///< null: every sample is a whole solution
  StreamKey stream;
  Index start;
  int budget;    ///< steps that the networks are told: K, unless the search says otherwise
  int step = 0;  ///< k, steps sampled so far
  bool active = true;
  bool shows_weights = false;             ///< feature rows end with the node's weight
  std::vector<float> theta;               ///< [N]
  std::vector<float> first_theta;         ///< [N] θ⁰; anchored updates and pheromones only
  std::vector<float> gradient;            ///< [N]
  std::vector<float> momenta;             ///< [6 × N]
  std::vector<std::uint32_t> membership;  ///< [N]
  std::vector<float> crowding;            ///< [N] in place of the instance feature; empty: that
  std::vector<float> adam;                ///< [2 × N] first and second moment; rule adam only
  std::vector<float> pheromones;          ///< [N] τ; rules ant-system and max-min only
  double unit_cost = 0.0;                 ///< of the solutions whose quality is 1; likewise
  Elite elite;
  double previous_best = 0.0;  ///< best cost before the last sampling step
  double mean_cost = 0.0;
  double entropy = 0.0;
  SampleSet kept;  ///< last samples, when asked for

  std::size_t variables() const { return static_cast<std::size_t>(graph->variables); }
  /// How many neighbours each node has in the elite's solutions, on average.
  void set_crowding();
  /// Sets what the features of a model show of the elite and of the graph.
  void show(const ModelConfig& config);
  /// The 45 global features of the state after sampling.
  void global(float* out) const;
  /// The instance features of variables begin … end−1, as GNN_init sees them.
  void instance_features(Index begin, Index end, float* rows) const;
  /// The 41 features of variables begin … end−1, row by row, or 42 with weights; the gradient and its averages times
  /// `gradient_scale`.
  void features(Index begin, Index end, float gradient_scale, float* rows) const;
  /// Likewise the 8 of them that rule mlp sees.
  void optimizer_features(Index begin, Index end, float gradient_scale, float* rows) const;
};

struct WorkerContext {
  SampleSet samples;
  SampleSet improved;                  ///< the samples after local search
  std::vector<SampleScratch> scratch;  ///< per worker of the executor
  std::vector<unsigned char> drawn;    ///< [b] whether a sample is complete
  std::vector<ChoiceRecord> choices;   ///< of partial samples
  std::vector<PartialSample> partial;  ///< [b]
  ChoiceRecord made_again;             ///< of the partial sample that is made anew
  std::vector<double> mass;
  std::vector<float> decoded;  ///< θ̃ [N]
  NetworkWorkspace network;
};

}  // namespace moco::cpu
