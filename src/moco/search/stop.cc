// Stop rules, and the names of phases.
#include "moco/search/stop.h"

namespace moco {

StopRules::StopRules(const SolveOptions& options)
    : steps_(options.loop.steps),
      time_limit_(options.time_limit),
      target_(options.target),
      no_improvement_(options.no_improvement),
      interrupted_(options.interrupted) {}

std::optional<StopReason> StopRules::check(const SearchMoment& moment) const {
  if (target_ && moment.best <= *target_) {
    return StopReason::target;
  }
  if (moment.step >= steps_) {
    return StopReason::steps;
  }
  if (interrupted()) {
    return StopReason::signal;
  }
  if (moment.seconds >= time_limit_) {
    return StopReason::time_limit;
  }
  if (no_improvement_ > 0 && moment.since_improvement >= no_improvement_) {
    return StopReason::no_improvement;
  }
  return std::nullopt;
}

std::string_view to_string(SolvePhase phase) {
  switch (phase) {
    case SolvePhase::neighbours:
      return "neighbours";
    case SolvePhase::greedy:
      return "greedy";
    case SolvePhase::local_search:
      return "local search";
    case SolvePhase::search:
      return "search";
    case SolvePhase::windows:
      return "windows";
    case SolvePhase::kicks:
      return "kicks";
  }
  return "search";
}

}  // namespace moco
