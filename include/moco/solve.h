// The solver: instances and a model in, checked solutions out.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"
#include "moco/local_search.h"
#include "moco/model.h"

namespace moco {

/// Policy gradient: whole-solution advantage (`total`) or reward-to-go (`causal`).
enum class GradientKind { total, causal };
/// TSP when all candidate neighbours are visited: go to the nearest unvisited city, or end with a penalty of √2 (in the
/// unit square) per unvisited city as the authors' program does. Returned tours are complete either way.
enum class DeadEnd { nearest, penalty };
/// Costs that the policy gradient sees under local search: of what was sampled, or of what it was improved to.
enum class AdvantageKind { sampled, improved };
enum class EngineKind { automatic, cpu, cuda, check };

inline constexpr int kMostEpisodes = 16;

/// Parameters of the inner loop.
struct LoopOptions {
  int steps = 200;   ///< K
  int samples = 32;  ///< b
  int restarts = 1;  ///< M
  /// A run of K steps is cut into episodes of about this length, each a run of its own with its own random numbers and
  /// start, all side by side: round(K / episode_steps) of them, 1 … kMostEpisodes, of equal length and K steps at most
  /// together. 0: one episode.
  int episode_steps = 0;
  int neighbours = 20;  ///< k, candidate neighbours per city (TSP)
  GradientKind gradient = GradientKind::total;
  DeadEnd dead_end = DeadEnd::nearest;
  std::optional<PoolRule> pool;  ///< instead of the model's
  /// Applied to every sampled solution; the improved ones are reported and enter the pool.
  LocalSearchOptions local_search;
  AdvantageKind advantage = AdvantageKind::sampled;
};

/// The loop of one episode: as many more restarts of as many fewer steps as episode_steps says, and no episodes.
LoopOptions episode_loop(const LoopOptions& loop);

/// One line of progress: what a terminal or a trace shows after a step of one instance.
struct Progress {
  std::size_t instance = 0;  ///< index among the instances given
  int step = 0;              ///< steps done, of all episodes together
  int steps = 0;             ///< K, less what episodes of equal length leave over
  double best = 0.0;         ///< best cost so far over the restarts, instance metric
  double mean = 0.0;         ///< mean cost of this step's samples over the restarts
  double entropy = 0.0;      ///< mean entropy of the construction policy's first choices, in nats
  double seconds = 0.0;      ///< since the search of this instance began
  int side_by_side = 1;      ///< instances that share this time, this one included
};

/// Why a search ended.
enum class StopReason { steps, time_limit, target, no_improvement, signal };
std::string_view to_string(StopReason reason);

/// θ on the instance's decision variables, for drawing.
struct Heatmap {
  std::vector<Index> from;  ///< node (MIS) or tail of the edge (TSP)
  std::vector<Index> to;    ///< head of the edge (TSP); empty for MIS
  /// Softmax of θ over each city's neighbours (TSP), or over all nodes with the largest scaled to 1 (MIS).
  std::vector<float> probability;
};

struct SolveResult {
  Solution solution;
  double cost = 0.0;             ///< recomputed by the checker
  bool feasible = false;         ///< the checker's word
  double unpolished_cost = 0.0;  ///< what the search found; equal to `cost` without a polish
  int steps = 0;                 ///< steps done
  double seconds = 0.0;          ///< search and polish
  StopReason stop = StopReason::steps;
  std::string engine;
  int side_by_side = 1;  ///< instances that shared this time, this one included
  std::optional<Heatmap> heatmap;
};

struct SolveOptions {
  LoopOptions loop;
  /// Local search applied to each instance's result, with the rule and limits of loop.local_search; empty: none. It may
  /// run past the time limit by a tenth of it and is left out after an interruption.
  std::string polish;
  std::uint64_t seed = 1;
  EngineKind engine = EngineKind::automatic;
  int threads = 0;  ///< 0: all cores
  int batch = 0;    ///< most instances searched side by side; 0: as many as fill the engine, one under a time limit
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds per instance
  std::optional<double> target;       ///< stop once the cost is at or below this (MIS: minus the set's size)
  int no_improvement = 0;             ///< stop after this many steps without a better solution; 0: never
  bool keep_heatmap = false;          ///< return the θ that the best solution was drawn from
  std::vector<Solution> warm_start;   ///< per instance, or empty; enters the pool before the first step
  std::function<bool()> interrupted;  ///< polled between steps; true stops the search (signals)
  std::function<void(const Progress&)> progress;  ///< called after every step when set
  /// Called with each instance's index and result as soon as it is there, in order.
  std::function<void(std::size_t, const SolveResult&)> finished;
};

/// Bytes the search of these instances needs at most at one time; `solve` refuses with ResourceError when that exceeds
/// the memory available.
std::uint64_t estimate_memory(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options);

/// Solves the instances in order. All must be of the model's problem. Returns one result per instance; when
/// interrupted, instances that were not begun are missing from the end.
std::vector<SolveResult> solve(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options);

}  // namespace moco
