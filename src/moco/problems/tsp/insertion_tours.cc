// Nearest, farthest and cheapest insertion (Rosenkrantz, Stearns and Lewis 1977). Asymmetric distances have an order of
// their arguments everywhere.
#include "moco/problems/tsp/insertion_tours.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/tsp/distance.h"

namespace moco {

namespace {

constexpr Index kMostCities = 50'000;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// Looks at a halt whenever about a million steps of work have been done.
class Patience {
 public:
  explicit Patience(const Halt& halt) : halt_(halt) { halt_.check(); }
  void spend(std::size_t steps) {
    done_ += steps;
    if (done_ >= kStepsPerLook) {
      done_ = 0;
      halt_.check();
    }
  }

 private:
  static constexpr std::size_t kStepsPerLook = 1u << 20;

  const Halt& halt_;
  std::size_t done_ = 0;
};

constexpr Index kGone = -1;

/// Where a city would go: behind which one, and what that costs.
struct Place {
  Index behind = 0;
  double cost = std::numeric_limits<double>::infinity();
};

/// A tour that begins with city 0, as links, and the cities that are not part of it yet.
template <typename Distance>
class GrowingTour {
 public:
  GrowingTour(Index cities, bool symmetric, const Distance& distance)
      : distance_(distance),
        symmetric_(symmetric),
        next_(at(cities), 0),
        gap_(at(cities), 0.0),
        outside_(at(cities) - 1),
        to_(at(cities)),
        from_(at(cities)) {
    members_.reserve(at(cities));
    members_.push_back(0);
    std::iota(outside_.begin(), outside_.end(), Index{1});
  }

  const std::vector<Index>& members() const { return members_; }  ///< in the order in which they came
  const std::vector<Index>& outside() const { return outside_; }

  /// What it costs to go by a city instead of straight on behind a member.
  double detour(Index city, Index behind) const {
    return distance_(behind, city) + distance_(city, next_[at(behind)]) - gap_[at(behind)];
  }

  /// The cheapest place of a city in the whole tour.
  Place cheapest_place(Index city) {
    for (const Index member : members_) {
      to_[at(member)] = distance_(member, city);
    }
    if (!symmetric_) {
      for (const Index member : members_) {
        from_[at(member)] = distance_(city, member);
      }
    }
    const std::vector<double>& from = symmetric_ ? to_ : from_;
    Place best;
    for (const Index member : members_) {
      const double cost = to_[at(member)] + from[at(next_[at(member)])] - gap_[at(member)];
      if (cost < best.cost) {
        best = {member, cost};
      }
    }
    return best;
  }

  /// Puts the outside city number `which` of that list behind a member; the last one takes its place in the list.
  void insert(std::size_t which, Index behind) {
    const Index city = outside_[which];
    outside_[which] = outside_.back();
    outside_.pop_back();
    next_[at(city)] = next_[at(behind)];
    next_[at(behind)] = city;
    gap_[at(behind)] = distance_(behind, city);
    gap_[at(city)] = distance_(city, next_[at(city)]);
    members_.push_back(city);
  }

  Solution solution() const {
    Solution tour;
    tour.items.reserve(members_.size());
    Index city = 0;
    do {
      tour.items.push_back(city);
      city = next_[at(city)];
    } while (city != 0);
    return tour;
  }

 private:
  const Distance& distance_;
  bool symmetric_;
  std::vector<Index> next_;  ///< of members
  std::vector<double> gap_;  ///< of members, distance to the next
  std::vector<Index> members_;
  std::vector<Index> outside_;
  std::vector<double> to_;  ///< scratch by member: distances to a city, and from it
  std::vector<double> from_;
};

/// Number of the outside city with the least key; of equal ones that with the lowest number.
template <typename Distance, typename Key>
std::size_t first_outside(const GrowingTour<Distance>& tour, const Key& key) {
  const std::vector<Index>& outside = tour.outside();
  std::size_t best = 0;
  double least = key(outside[0]);
  for (std::size_t i = 1; i < outside.size(); ++i) {
    const double value = key(outside[i]);
    if (value < least || (value == least && outside[i] < outside[best])) {
      best = i;
      least = value;
    }
  }
  return best;
}

/// By the distance of each outside city to the tour, nearest or farthest first.
template <typename Distance>
void grow_by_distance(GrowingTour<Distance>& tour, bool symmetric, bool farthest, const Distance& distance,
                      Patience& patience) {
  std::vector<double> away(tour.outside().size() + 1, std::numeric_limits<double>::infinity());
  while (!tour.outside().empty()) {
    const Index newest = tour.members().back();
    for (const Index city : tour.outside()) {
      const double there = distance(newest, city);
      away[at(city)] = std::min(away[at(city)], symmetric ? there : std::min(there, distance(city, newest)));
    }
    const double sign = farthest ? -1.0 : 1.0;
    const std::size_t which = first_outside(tour, [&](Index city) { return sign * away[at(city)]; });
    tour.insert(which, tour.cheapest_place(tour.outside()[which]).behind);
    patience.spend(away.size());
  }
}

/// By the cost of each outside city at its cheapest place. Of a city whose place is gone that cost is a bound: no place
/// that was there before is cheaper. Its place is looked for when its turn comes.
template <typename Distance>
void grow_by_cost(GrowingTour<Distance>& tour, Patience& patience) {
  std::vector<Place> places(tour.outside().size() + 1);
  for (const Index city : tour.outside()) {
    places[at(city)] = tour.cheapest_place(city);
  }
  while (!tour.outside().empty()) {
    patience.spend(places.size());
    const std::size_t which = first_outside(tour, [&](Index city) { return places[at(city)].cost; });
    const Index chosen = tour.outside()[which];
    const Index behind = places[at(chosen)].behind;
    if (behind == kGone) {
      places[at(chosen)] = tour.cheapest_place(chosen);
      continue;
    }
    tour.insert(which, behind);
    for (const Index city : tour.outside()) {
      Place& place = places[at(city)];
      if (place.behind == behind) {
        place.behind = kGone;
      }
      for (const Index member : {behind, chosen}) {
        if (const double cost = tour.detour(city, member); cost < place.cost) {
          place = {member, cost};
        }
      }
    }
  }
}

}  // namespace

void require_start(const TspInstance& instance, TourStart start) {
  if (start != TourStart::greedy && instance.size() > kMostCities) {
    throw OptionError(fmt::format("{}: insertions look at all pairs of cities, of {} at most: {} are too many",
                                  instance.name(), kMostCities, instance.size()));
  }
}

Solution insertion_tour(const TspInstance& instance, TourStart start, const Halt& halt) {
  require_start(instance, start);
  return with_distance(instance, [&](const auto& distance) {
    Patience patience(halt);
    GrowingTour tour(instance.size(), instance.symmetric(), distance);
    if (start == TourStart::cheapest_insertion) {
      grow_by_cost(tour, patience);
    } else {
      grow_by_distance(tour, instance.symmetric(), start == TourStart::farthest_insertion, distance, patience);
    }
    return tour.solution();
  });
}

}  // namespace moco
