// Figures by size; docs/performance.md shows what they give.
#include "moco/search/effort.h"

#include <algorithm>

namespace moco {

namespace {

constexpr Index kMostCitiesOfSteps = 1000;  // beyond, kicks alone are better in the same time
constexpr Index kMostNodesOfSteps = 1000;
constexpr std::int64_t kSampledNodes = 640'000;  // in all steps together, with 32 samples each
constexpr int kMostSteps = 20;
constexpr int kSamples = 32;

int steps_for(Index nodes, Index most_nodes) {
  if (nodes > most_nodes) {
    return 0;
  }
  const std::int64_t steps = kSampledNodes / (std::int64_t{kSamples} * std::max(nodes, Index{1}));
  return static_cast<int>(std::clamp<std::int64_t>(steps, 1, kMostSteps));
}

}  // namespace

std::string default_local_search(const Instance& instance) {
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    return tsp->symmetric() ? "2opt+oropt" : "oropt3";
  }
  return "swap12";
}

Effort default_effort(const Instance& instance) {
  const Index n = instance.size();
  Effort effort;
  effort.local_search = default_local_search(instance);
  if (instance.problem() == "tsp") {
    effort.steps = steps_for(n, kMostCitiesOfSteps);
    effort.kicks = std::clamp<std::int64_t>(std::int64_t{200} * n, 10'000, 300'000);
    effort.neighbours = 10;
  } else {
    effort.steps = steps_for(n, kMostNodesOfSteps);
    effort.kicks = std::clamp<std::int64_t>(std::int64_t{200} * n, 50'000, 500'000);
  }
  return effort;
}

}  // namespace moco
