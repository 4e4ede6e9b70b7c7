// The kicks that follow a search: how long, in how many ways side by side, and what is told of them.
#pragma once

#include <optional>

#include "moco/core/thread_pool.h"
#include "moco/policy/kicks.h"
#include "moco/policy/plane_windows.h"
#include "moco/problems/decision_graph.h"
#include "moco/search/incumbents.h"
#include "moco/solve.h"

namespace moco {

struct KickOutcome {
  std::optional<Solution> better;  ///< than the one that they began with
  double cost = 0.0;               ///< its, by the checker
  std::int64_t kicks = 0;          ///< of all ways together
  bool on_engine = false;          ///< they were an engine's
  StopReason stop = StopReason::kicks;
};

/// Told now and then: what the kicks are of, the best cost so far and the share of the budget that is spent.
using KickWatch = std::function<void(SolvePhase, double, double)>;

/// How many kicks an instance gets where they are not those of a time limit.
std::int64_t number_of_kicks(const SolveOptions& options, const Instance& instance);

/// Goes on from a solution of instance `index`, and its cost, for as many kicks as the options say, or to the end of
/// the halt's time. What is better is feasible. `engine` has small searches to be made use of, or is null. `watch` may
/// be empty; it is called on the caller's thread. `incumbents` hears of better solutions of its instance `own`.
KickOutcome run_kicks(KickSearch& search, const DecisionGraph& graph, const Solution& from, double cost,
                      std::size_t index, const SolveOptions& options, const Halt& halt, const Executor& executor,
                      WindowKicks* engine, const KickWatch& watch, Incumbents& incumbents, std::size_t own);

}  // namespace moco
