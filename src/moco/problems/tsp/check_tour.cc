// Positions of all cities, fixed edges, then the length.
#include "moco/problems/tsp/check_tour.h"

#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

namespace moco {

CheckResult check_tour(const TspInstance& instance, const Solution& tour) {
  const auto violated = [](std::string what) { return CheckResult{false, 0.0, std::move(what)}; };
  const auto n = static_cast<std::size_t>(instance.size());
  if (tour.items.size() != n) {
    return violated(fmt::format("tour has {} cities, the instance {}", tour.items.size(), n));
  }
  std::vector<Index> position_of(n, -1);
  for (std::size_t position = 0; position < n; ++position) {
    const Index city = tour.items[position];
    if (city < 0 || city >= instance.size()) {
      return violated(fmt::format("position {}: {} is not a city of 0 … {}", position, city, n - 1));
    }
    Index& earlier = position_of[static_cast<std::size_t>(city)];
    if (earlier >= 0) {
      return violated(fmt::format("city {} appears twice, at positions {} and {}", city, earlier, position));
    }
    earlier = static_cast<Index>(position);
  }
  const std::span<const Index> partners = instance.fixed_partners();
  for (std::size_t end = 0; end < partners.size(); ++end) {
    const auto city = static_cast<Index>(end / 2);
    if (const Index other = partners[end]; other > city) {  // each edge once
      const auto apart = static_cast<std::size_t>(
          std::abs(position_of[static_cast<std::size_t>(city)] - position_of[static_cast<std::size_t>(other)]));
      if (apart != 1 && apart + 1 != n) {
        return violated(fmt::format("the fixed edge between cities {} and {} is not part of the tour", city, other));
      }
    }
  }
  double cost = 0.0;
  if (n > 1) {
    for (std::size_t position = 0; position < n; ++position) {
      cost += instance.distance(tour.items[position], tour.items[position + 1 == n ? 0 : position + 1]);
    }
  }
  return {true, cost, {}};
}

}  // namespace moco
