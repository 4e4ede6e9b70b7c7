// Cycles are joined smallest first. An exchange of an edge of one cycle and an edge of another always makes one of the
// two, whichever way they are reconnected.
#include "moco/problems/tsp/tour_joining.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace moco {

namespace {

using Links = std::array<Index, 2>;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

std::vector<Links> links_of(std::span<const Index> tour) {
  std::vector<Links> links(tour.size());
  Index before = tour.back();
  for (std::size_t i = 0; i < tour.size(); ++i) {
    links[at(tour[i])] = {before, tour[i + 1 == tour.size() ? 0 : i + 1]};
    before = tour[i];
  }
  return links;
}

/// Appends the cycle through a city, from this one on.
void walk(const std::vector<Links>& links, Index from, std::vector<Index>& cities) {
  Index before = links[at(from)][0];
  Index here = from;
  do {
    cities.push_back(here);
    const auto [one, other] = links[at(here)];
    const Index next = one == before ? other : one;
    before = here;
    here = next;
  } while (here != from);
}

class Cycles {
 public:
  Cycles(const TspInstance& instance, const TourPart& part, std::vector<Links>& links)
      : instance_(instance), part_(part), links_(links), cycle_of_(links.size(), -1) {
    cities_.reserve(links.size());
    for (Index city = 0; at(city) < links.size(); ++city) {
      if (cycle_of_[at(city)] < 0) {
        first_.push_back(cities_.size());
        walk(links, city, cities_);
        for (std::size_t i = first_.back(); i < cities_.size(); ++i) {
          cycle_of_[at(cities_[i])] = static_cast<Index>(first_.size() - 1);
        }
      }
    }
    first_.push_back(cities_.size());
    joined_.resize(count());
    std::iota(joined_.begin(), joined_.end(), Index{0});
    members_.resize(count());
    for (std::size_t cycle = 0; cycle < count(); ++cycle) {
      members_[cycle] = {static_cast<Index>(cycle)};
    }
  }

  std::size_t count() const { return first_.size() - 1; }

  void join(const std::vector<Links>& old_links) {
    std::vector<Index> by_size(joined_);
    std::ranges::stable_sort(by_size, {}, [&](Index cycle) { return first_[at(cycle) + 1] - first_[at(cycle)]; });
    for (const Index cycle : by_size) {
      while (joined_[at(cycle)] != joined_[at(by_size.back())]) {
        join_to_another(joined_[at(cycle)], old_links);
      }
    }
  }

 private:
  struct Exchange {
    double cost = std::numeric_limits<double>::infinity();
    Index a = 0, after_a = 0, c = 0, after_c = 0;
  };

  double length(Index a, Index b) const { return instance_.distance(part_.cities[at(a)], part_.cities[at(b)]); }

  void join_to_another(Index group, const std::vector<Links>& old_links) {
    Exchange best;
    for (const Index cycle : members_[at(group)]) {
      for (std::size_t i = first_[at(cycle)]; i < first_[at(cycle) + 1]; ++i) {
        look_around(cities_[i], old_links[at(cities_[i])], best);
      }
    }
    relink(best.a, best.after_a, best.c);
    relink(best.after_a, best.a, best.after_c);
    relink(best.c, best.after_c, best.a);
    relink(best.after_c, best.c, best.after_a);
    const Index other = joined_[at(cycle_of_[at(best.c)])];
    for (const Index cycle : members_[at(group)]) {
      joined_[at(cycle)] = other;
      members_[at(other)].push_back(cycle);
    }
    members_[at(group)].clear();
  }

  void look_around(Index a, const Links& old_links, Exchange& best) const {
    const std::size_t row = at(a) * at(part_.degree);
    for (std::size_t edge = row; edge < row + at(part_.degree); ++edge) {
      look_at(a, part_.targets[edge], best);
    }
    look_at(a, old_links[0], best);
    look_at(a, old_links[1], best);
  }

  void look_at(Index a, Index c, Exchange& best) const {
    if (joined_[at(cycle_of_[at(a)])] == joined_[at(cycle_of_[at(c)])]) {
      return;
    }
    for (const Index after_a : links_[at(a)]) {
      for (const Index after_c : links_[at(c)]) {
        const double cost = length(a, c) + length(after_a, after_c) - length(a, after_a) - length(c, after_c);
        if (cost < best.cost) {
          best = {cost, a, after_a, c, after_c};
        }
      }
    }
  }

  void relink(Index city, Index from, Index to) {
    Links& links = links_[at(city)];
    (links[0] == from ? links[0] : links[1]) = to;
  }

  const TspInstance& instance_;
  const TourPart& part_;
  std::vector<Links>& links_;
  std::vector<Index> cities_;                ///< grouped by cycle
  std::vector<std::size_t> first_;           ///< [cycles + 1] into cities_
  std::vector<Index> cycle_of_;              ///< [n]
  std::vector<Index> joined_;                ///< [cycles] the group of cycles that are one by now
  std::vector<std::vector<Index>> members_;  ///< [cycles] of each group
};

}  // namespace

TourJoining::TourJoining(const TspInstance& instance, const TourPart& part, std::span<const Index> tour,
                         const TourWindows& windows)
    : instance_(instance), part_(part), old_tour_(tour), windows_(windows), links_(links_of(tour)) {}

void TourJoining::put_back(std::size_t window, std::span<const Index> order) {
  const std::span<const Index> cities = windows_.cities_of(window);
  const std::span<const unsigned char> joined = windows_.joined_of(window);
  const std::size_t m = cities.size();
  /// What `place` is linked to where `beside` is next to it: that city, or the one outside that it stands for.
  const auto link = [&](std::size_t place, std::size_t beside) {
    if (joined[place] == 0 && beside == (place + 1 == m ? 0 : place + 1)) {
      return links_[at(cities[place])][1];
    }
    if (joined[beside] == 0 && place == (beside + 1 == m ? 0 : beside + 1)) {
      return links_[at(cities[place])][0];
    }
    return cities[beside];
  };
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t place = at(order[i]);
    const std::size_t before = at(order[i == 0 ? m - 1 : i - 1]);
    const std::size_t after = at(order[i + 1 == m ? 0 : i + 1]);
    links_[at(cities[place])] = {link(place, before), link(place, after)};
  }
}

std::vector<Index> TourJoining::tour() {
  const Index start = old_tour_.front();
  std::vector<Index> cities;
  cities.reserve(links_.size());
  walk(links_, start, cities);
  cycles_ = 1;
  if (cities.size() < links_.size()) {
    Cycles cycles(instance_, part_, links_);
    cycles_ = cycles.count();
    cycles.join(links_of(old_tour_));
    cities.clear();
    walk(links_, start, cities);
  }
  return cities;
}

}  // namespace moco
