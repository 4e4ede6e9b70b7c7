// Figures by size; docs/performance.md shows what they give.
#include "moco/search/effort.h"

#include <algorithm>

namespace moco {

namespace {

std::int64_t kicks_for(Index nodes, std::int64_t per_node, std::int64_t least, std::int64_t most) {
  return std::clamp(per_node * nodes, least, most);
}

}  // namespace

std::string default_local_search(const Instance& instance) {
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    return tsp->symmetric() ? "2opt+oropt" : "oropt3";
  }
  return "swap12";
}

Effort default_effort(const Instance& instance) {
  if (instance.problem() == "tsp") {
    return {kicks_for(instance.size(), 200, 10'000, 300'000), 10};
  }
  return {kicks_for(instance.size(), 400, 50'000, 1'000'000), 0};
}

}  // namespace moco
