// Stop rules, and the names of phases.
#include "moco/search/stop.h"

#include <array>

namespace moco {

namespace {

constexpr std::array kPhases = {Choice{SolvePhase::neighbours, "neighbours"},     Choice{SolvePhase::greedy, "greedy"},
                                Choice{SolvePhase::local_search, "local search"}, Choice{SolvePhase::search, "search"},
                                Choice{SolvePhase::windows, "windows"},           Choice{SolvePhase::kicks, "kicks"}};

}  // namespace

StopRules::StopRules(const SolveOptions& options)
    : steps_(options.fill_time ? std::numeric_limits<int>::max() : options.loop.steps),
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

template <>
std::span<const Choice<SolvePhase>> choices() {
  return kPhases;
}

}  // namespace moco
