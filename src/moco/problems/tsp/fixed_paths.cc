// Walks along fixed edges.
#include "moco/problems/tsp/fixed_paths.h"

#include <algorithm>
#include <utility>

namespace moco {

namespace {

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// Calls visit(city) from an end of a path to the other, or once around a closed one.
template <typename Visit>
void walk(std::span<const Index> partners, Index from, const Visit& visit) {
  Index before = -1;
  Index here = from;
  do {
    visit(here);
    before = std::exchange(here, next_on_fixed_path(partners, before, here));
  } while (here >= 0 && here != from);
}

}  // namespace

std::vector<Edge> fixed_edges_of(const TspInstance& instance) {
  const std::span<const Index> partners = instance.fixed_partners();
  std::vector<Edge> edges;
  for (std::size_t end = 0; end < partners.size(); ++end) {
    if (const auto city = static_cast<Index>(end / 2); partners[end] > city) {
      edges.push_back({city, partners[end]});
    }
  }
  return edges;
}

Index next_on_fixed_path(std::span<const Index> partners, Index before, Index here) {
  const Index one = partners[2 * at(here)];
  const Index other = partners[2 * at(here) + 1];
  return one >= 0 && one == before ? other : one;
}

Index fixed_path_end(std::span<const Index> partners, Index city) {
  if (!is_inside_fixed_path(partners, city)) {
    return city;
  }
  Index end = city;
  Index before = partners[2 * at(city) + 1];  // away from there
  for (Index here = city; here >= 0;) {
    end = here;
    const Index next = next_on_fixed_path(partners, before, here);
    before = std::exchange(here, next == city ? -1 : next);
  }
  return end;
}

Solution along_fixed_paths(const TspInstance& instance, Solution order) {
  const std::span<const Index> partners = instance.fixed_partners();
  if (partners.empty()) {
    return order;
  }
  Solution tour;
  tour.items.reserve(order.items.size());
  std::vector<bool> passed(order.items.size(), false);
  for (const Index city : order.items) {
    if (!passed[at(city)]) {
      walk(partners, fixed_path_end(partners, city), [&](Index next) {
        tour.items.push_back(next);
        passed[at(next)] = true;
      });
    }
  }
  return tour;
}

}  // namespace moco
