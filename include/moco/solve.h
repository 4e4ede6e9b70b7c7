// What a search is asked for and what it returns; moco/solver.h runs it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/heatmap.h"
#include "moco/instance.h"
#include "moco/local_search.h"
#include "moco/model.h"
#include "moco/options.h"

namespace moco {

inline constexpr int kMostEpisodes = 16;
/// SolveOptions::kicks: as many as the time limit allows.
inline constexpr std::int64_t kKicksUntilTimeLimit = -1;
/// SolveOptions::kicks: as many as suit the size of each instance.
inline constexpr std::int64_t kKicksBySize = -2;

/// Parameters of the inner loop.
struct LoopOptions {
  int steps = 200;   ///< K; 0: no search by the model, for what begins before it and goes on after it alone
  int samples = 32;  ///< b
  int restarts = 1;  ///< M
  /// A run of K steps is cut into episodes of about this length, each a run of its own with its own random numbers and
  /// start, all side by side: round(K / episode_steps) of them, 1 … kMostEpisodes, of equal length and K steps at most
  /// together. 0: one episode.
  int episode_steps = 0;
  /// The budget that the networks are told of an episode: they see k/budget_steps of it spent, more than all of it
  /// where the episode is longer. 0: its own steps.
  int budget_steps = 0;
  /// After the first samples: cities or nodes of a good solution that a sample gives up and chooses anew under θ, all
  /// others staying as they are; a local search follows around what changed. 0: every sample is a whole solution.
  int rebuild = 0;
  OptionValues problem;  ///< options that the problem declares
  GradientKind gradient = GradientKind::total;
  std::optional<EliteRule> elite;  ///< instead of the model's
  /// Applied to every sampled solution; the improved ones are reported and enter the elite.
  LocalSearchOptions local_search;
  AdvantageKind advantage = AdvantageKind::sampled;
};

/// The loop of one episode: as many more restarts of as many fewer steps as episode_steps says, and no episodes.
LoopOptions episode_loop(const LoopOptions& loop);

/// The steps that the networks take for the budget of a loop without episodes.
inline int told_budget(const LoopOptions& loop) {
  return loop.budget_steps > 0 ? loop.budget_steps : loop.steps;
}

/// Sets everything but K, b and M as the model's training had it; episodes grow in proportion with instances larger
/// than the model was trained for. `nodes` are those of the instances. Leaves the loop alone where the model does not
/// say.
void follow_training(const Model& model, double nodes, LoopOptions& loop);

/// What a solver is doing with an instance: before the search it finds the neighbours of every node, builds a greedy
/// solution and improves it; after it come kicks, of large tours in windows.
enum class SolvePhase { neighbours, greedy, local_search, search, windows, kicks };
template <>
std::span<const Choice<SolvePhase>> choices();

/// One line of progress: what a terminal or a trace shows after a step of one instance, or now and then during its
/// kicks.
struct Progress {
  std::size_t instance = 0;  ///< index among the instances given
  SolvePhase phase = SolvePhase::search;
  int step = 0;          ///< steps done by each episode
  int steps = 0;         ///< steps of an episode: K, divided by their number; by the clock: about
  double spent = 0.0;    ///< share of the kicks' budget, 0 … 1
  double best = 0.0;     ///< best cost so far over the restarts, instance metric
  double mean = 0.0;     ///< mean cost of this step's samples over the restarts
  double entropy = 0.0;  ///< mean entropy of the construction policy's first choices, in nats
  double seconds = 0.0;  ///< since the search of this instance began
  int side_by_side = 1;  ///< instances that share this time, this one included
};

/// A better solution than those before it.
struct Incumbent {
  std::size_t instance = 0;  ///< index among the instances given
  const Solution& solution;
  double cost = 0.0;     ///< recomputed by the checker
  double seconds = 0.0;  ///< since the search of this instance began
};

struct SolveResult {
  Solution solution;
  double cost = 0.0;             ///< recomputed by the checker
  bool feasible = false;         ///< the checker's word
  double unpolished_cost = 0.0;  ///< before polish and kicks
  int steps = 0;                 ///< steps done
  std::int64_t kicks = 0;        ///< kicks done
  /// Search, polish and kicks; with a greedy start also what comes before. Of a batch each instance has an equal share.
  double seconds = 0.0;
  StopReason stop = StopReason::steps;
  std::string engine;
  std::string kicks_engine;  ///< the engine that did the kicks; empty where there were none
  int side_by_side = 1;      ///< instances of the batch, this one included
  std::optional<Heatmap> heatmap;
  double entropy = 0.0;  ///< of the policy after the last step, mean over the restarts, in nats; when asked for
};

struct SolveOptions {
  LoopOptions loop;
  /// Begins with a greedy solution, which the result is never worse than; improved by local search, or as it is.
  bool greedy_start = false;
  bool improve_start = true;
  /// Iterated local search on each instance's result: so many small perturbations, each followed by a local search
  /// around it. Under kKicksUntilTimeLimit all threads share the work, or each goes its own way and the best one
  /// counts; steps before them end after half the time at the latest.
  std::int64_t kicks = 0;
  /// The search by the model goes on until the time limit, or to half of it where kicks follow until then: again and
  /// again with other random numbers, in rounds of about loop.steps steps that end with the time, and keeps the best.
  /// The networks see the share of a round's time that is spent, unless loop.budget_steps says what they are told.
  bool fill_time = false;
  /// Local search applied to each instance's result, with the rule and limits of loop.local_search; empty: none.
  std::string polish;
  std::uint64_t seed = 1;
  /// Number of the first instance given, where they are part of a longer list: random numbers go by it.
  std::size_t first_instance = 0;
  int batch = 0;  ///< most instances searched side by side; 0: as many as fill the engine, one under a time limit
  /// Seconds per instance. It is looked at inside steps too: the one under way is given up, and what was found counts.
  double time_limit = std::numeric_limits<double>::infinity();
  std::optional<double> target;      ///< stop once the cost is at or below this
  int no_improvement = 0;            ///< stop after this many steps without a better solution; 0: never
  bool track_entropy = false;        ///< fill SolveResult::entropy
  bool keep_heatmap = false;         ///< return the θ that the best solution was drawn from
  std::vector<Solution> warm_start;  ///< per instance, or empty; enters the elite before the first step
  std::function<bool()>
      interrupted;  ///< polled often, from any thread; true ends the search with what it has (signals)
  std::function<void(const Progress&)> progress;  ///< called after every step when set, on the caller's thread
  /// Called with an instance's index and the phase that begins before its search, on the caller's thread.
  std::function<void(std::size_t, SolvePhase)> began;
  /// Called with better and better solutions of each instance, the last of them its result, but for the rounding of its
  /// cost; on the caller's thread, at most every tenth of a second or so.
  std::function<void(const Incumbent&)> improved;
  std::function<void()> begun;  ///< called once, when nothing stands against the search
  /// Called with each instance's index and result as soon as it is there, in order.
  std::function<void(std::size_t, const SolveResult&)> finished;
};

}  // namespace moco
