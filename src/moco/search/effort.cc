// The rules by which defaults depend on each other.
#include "moco/search/effort.h"

#include <algorithm>

#include "moco/problem.h"

namespace moco {

namespace {

bool asks_for_start(const OptionValues& own, const Problem& problem) {
  return std::ranges::any_of(problem.options(), [&](const OptionDeclaration& option) {
    return option.use == OptionUse::start && own.has(option.key);
  });
}

}  // namespace

int steps_for(const EffortRequest& request, const Instance& instance) {
  constexpr int kPlainSteps = 200;
  constexpr int kStepsBeforeKicks = 20;
  if (request.steps) {
    return *request.steps;
  }
  if (request.plain || instance.problem().effort(instance).kicks == 0) {
    return kPlainSteps;
  }
  return !request.wants_steps ? 0 : request.timed ? kPlainSteps : kStepsBeforeKicks;
}

void set_effort(SolveOptions& options, const EffortRequest& request, const Instance& instance) {
  const bool plain = options.loop.local_search.name.empty();
  const bool fills_time = request.timed && !request.steps;
  options.loop.steps = steps_for(request, instance);
  options.greedy_start = !plain || options.loop.steps == 0 || asks_for_start(request.own, instance.problem());
  options.improve_start = !plain;
  options.kicks = request.kicks.value_or(plain ? 0 : fills_time ? kKicksUntilTimeLimit : kKicksBySize);
  options.fill_time =
      fills_time && options.loop.steps > 0 && (options.kicks == 0 || options.kicks == kKicksUntilTimeLimit);
  if (options.loop.steps == 0) {
    options.loop.problem = instance.problem().options_without_steps(instance, request.own);
  } else {
    options.loop.problem.merge(request.own);
  }
}

}  // namespace moco
