// Stop rules.
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

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::steps:
      return "steps";
    case StopReason::kicks:
      return "kicks";
    case StopReason::time_limit:
      return "time-limit";
    case StopReason::target:
      return "target";
    case StopReason::no_improvement:
      return "no-improvement";
    case StopReason::signal:
      return "signal";
  }
  return "steps";
}

}  // namespace moco
