// Edge assembly (Nagata and Kobayashi 2013): what a tour A can take over from a tour B. For each AB-cycle: A with the
// cycle's edges exchanged; where that leaves several cycles, the smallest one is joined to another by the cheapest
// exchange of an edge each, until one tour is left. A keeps what makes it shorter, so several exchanges come together
// in one pass, and it is never worse than before. An exchange costs what it changes.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "moco/core/random.h"
#include "moco/problems/tsp/ab_cycles.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

template <typename Distance>
class EdgeAssembly {
 public:
  /// An exchange counts when it gains more than `least_gain`.
  EdgeAssembly(int n, const Distance& distance, const TourNeighbours& neighbours, FixedEdges fixed, double least_gain)
      : n_(n),
        distance_(distance),
        neighbours_(neighbours),
        fixed_(fixed),
        least_gain_(least_gain),
        order_(at(n)),
        position_(at(n)) {}

  /// Makes all exchanges on the way to B that shorten A; returns by how much. `tried` is called after each of them.
  template <typename Tried>
  double improve(TourLinks& a, const TourLinks& b, RandomSequence& random, const Tried& tried) {
    cycles_.find(a, b, random);
    if (cycles_.count() == 0) {
      return 0.0;
    }
    numbers_.resize(at(cycles_.count()));
    for (int i = 0; i < cycles_.count(); ++i) {
      const auto other = at(static_cast<int>(random.next_below(static_cast<std::uint32_t>(i + 1))));
      numbers_[at(i)] = numbers_[other];
      numbers_[other] = i;
    }
    read(a);
    double taken = 0.0;
    for (const int number : numbers_) {
      const std::span<const Index> cycle = cycles_.cycle(number);
      if (taken > 0.0 && !fits(a, cycle)) {
        continue;
      }
      const double gain = exchange(a, cycle);
      if (gain > least_gain_) {
        taken += gain;
        read(a);
      } else {
        for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
          a[at(change->city)][at(change->side)] = change->old;
        }
      }
      if (!tried()) {
        break;
      }
    }
    return taken;
  }

 private:
  struct Change {
    Index city;
    int side;
    Index old;
  };
  /// A removed edge: the place of the city before it, and the numbers of both ends on the AB-cycle.
  struct Cut {
    int position;
    int before;
    int behind;
  };
  /// A path between removed edges, from place to place, and the cycle that it belongs to now.
  struct Path {
    int begin;
    int end;
    int group;
  };
  struct Group {
    int cities;
    bool joined;
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  static bool linked(const std::array<Index, 2>& links, Index city) { return links[0] == city || links[1] == city; }

  void read(const TourLinks& links) {
    Index before = links[0][0];
    Index city = 0;
    for (int i = 0; i < n_; ++i) {
      order_[at(i)] = city;
      position_[at(city)] = i;
      const auto& [one, other] = links[at(city)];
      const Index next = one == before ? other : one;
      before = city;
      city = next;
    }
  }

  /// Whether A still has the cycle's edges that are to go and none of those that are to come.
  static bool fits(const TourLinks& a, std::span<const Index> cycle) {
    for (std::size_t i = 0; i < cycle.size(); i += 2) {
      const std::array<Index, 2>& second = a[at(cycle[i + 1])];
      if (!linked(second, cycle[i]) || linked(second, cycle[i + 2 == cycle.size() ? 0 : i + 2])) {
        return false;
      }
    }
    return true;
  }

  void relink(TourLinks& links, Index city, Index old, Index now) {
    const int side = links[at(city)][0] == old ? 0 : 1;
    changes_.push_back({city, side, old});
    links[at(city)][at(side)] = now;
  }

  /// Makes an exchange and says what it gains; one that gains nothing may be left half made.
  double exchange(TourLinks& a, std::span<const Index> cycle) {
    changes_.clear();
    const std::size_t size = cycle.size();
    double gain = 0.0;
    for (std::size_t i = 0; i < size; i += 2) {
      gain += distance_(cycle[i], cycle[i + 1]);
      gain -= distance_(cycle[i + 1], cycle[i + 2 == size ? 0 : i + 2]);
    }
    if (gain <= least_gain_) {
      return 0.0;  // joining cycles rarely gains
    }
    for (std::size_t i = 0; i < size; i += 2) {
      relink(a, cycle[i], cycle[i + 1], cycle[i == 0 ? size - 1 : i - 1]);
      relink(a, cycle[i + 1], cycle[i], cycle[i + 2 == size ? 0 : i + 2]);
    }
    find_groups(cycle);
    for (std::size_t left = groups_.size(); left > 1 && gain > least_gain_; --left) {
      gain += join_smallest(a);
    }
    return gain;
  }

  /// Which cycles the paths of A between the removed edges form now.
  void find_groups(std::span<const Index> cycle) {
    const int k = static_cast<int>(cycle.size() / 2);
    cuts_.clear();
    for (int i = 0; i < k; ++i) {
      Cut cut{position_[at(cycle[at(2 * i)])], 2 * i, 2 * i + 1};
      const int other = position_[at(cycle[at(2 * i + 1)])];
      if (other != (cut.position + 1 == n_ ? 0 : cut.position + 1)) {
        cut = {other, 2 * i + 1, 2 * i};
      }
      cuts_.push_back(cut);
    }
    std::sort(cuts_.begin(), cuts_.end(), [](const Cut& x, const Cut& y) { return x.position < y.position; });
    // Path j lies between cuts j − 1 and j; its ends are corners 2j and 2j + 1.
    corner_of_.resize(at(2 * k));
    end_at_.resize(at(2 * k));
    paths_.resize(at(k));
    for (int j = 0; j < k; ++j) {
      const Cut& from = cuts_[at(j == 0 ? k - 1 : j - 1)];
      const Cut& to = cuts_[at(j)];
      paths_[at(j)] = {from.position + 1 == n_ ? 0 : from.position + 1, to.position, -1};
      corner_of_[at(from.behind)] = 2 * j;
      end_at_[at(2 * j)] = from.behind;
      corner_of_[at(to.before)] = 2 * j + 1;
      end_at_[at(2 * j + 1)] = to.before;
    }
    groups_.clear();
    for (int j = 0; j < k; ++j) {
      if (paths_[at(j)].group >= 0) {
        continue;
      }
      int cities = 0;
      for (int corner = 2 * j; paths_[at(corner / 2)].group < 0;) {
        Path& path = paths_[at(corner / 2)];
        path.group = static_cast<int>(groups_.size());
        cities += length(path);
        const int end = end_at_[at(corner ^ 1)];
        const int mate = end % 2 == 1 ? end + 1 : end - 1;
        corner = corner_of_[at(mate < 0 ? 2 * k - 1 : mate == 2 * k ? 0 : mate)];
      }
      groups_.push_back({cities, false});
    }
  }

  int length(const Path& path) const { return path.end - path.begin + 1 + (path.end < path.begin ? n_ : 0); }

  int group_of(Index city) const {
    const auto cut = std::lower_bound(cuts_.begin(), cuts_.end(), position_[at(city)],
                                      [](const Cut& x, int position) { return x.position < position; });
    return paths_[cut == cuts_.end() ? 0 : static_cast<std::size_t>(cut - cuts_.begin())].group;
  }

  /// Joins the smallest cycle to another; what that gains, mostly less than 0, or −∞ when no neighbour lies on another.
  double join_smallest(TourLinks& a) {
    int smallest = -1;
    for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
      if (!groups_[at(group)].joined && (smallest < 0 || groups_[at(group)].cities < groups_[at(smallest)].cities)) {
        smallest = group;
      }
    }
    double best = -std::numeric_limits<double>::infinity();
    std::array<Index, 4> ends{};  // {0, 1} and {2, 3} go, {0, 2} and {1, 3} come
    int into = -1;
    for (const Path& path : paths_) {
      if (path.group != smallest) {
        continue;
      }
      for (int i = path.begin, left = length(path); left > 0; --left, i = i + 1 == n_ ? 0 : i + 1) {
        const Index city = order_[at(i)];
        const std::array<double, 2> own{distance_(city, a[at(city)][0]), distance_(city, a[at(city)][1])};
        const long long row = static_cast<long long>(city) * neighbours_.degree;
        for (int rank = 0; rank < neighbours_.degree; ++rank) {
          const Index near = neighbours_.targets[row + rank];
          const int group = group_of(near);
          if (group == smallest) {
            continue;
          }
          for (const std::size_t side : {0u, 1u}) {
            const Index after = a[at(city)][side];
            if (fixed_.has(city, after)) {
              continue;
            }
            for (const Index beside : a[at(near)]) {
              const double gain =
                  own[side] - neighbours_.length[row + rank] + distance_(near, beside) - distance_(after, beside);
              if (gain > best && !fixed_.has(near, beside)) {
                best = gain;
                ends = {city, after, near, beside};
                into = group;
              }
            }
          }
        }
      }
    }
    if (into < 0) {
      return best;
    }
    relink(a, ends[0], ends[1], ends[2]);
    relink(a, ends[2], ends[3], ends[0]);
    relink(a, ends[1], ends[0], ends[3]);
    relink(a, ends[3], ends[2], ends[1]);
    for (Path& path : paths_) {
      if (path.group == smallest) {
        path.group = into;
      }
    }
    groups_[at(into)].cities += groups_[at(smallest)].cities;
    groups_[at(smallest)].joined = true;
    return best;
  }

  int n_;
  const Distance& distance_;
  TourNeighbours neighbours_;
  FixedEdges fixed_;
  double least_gain_;
  AbCycles cycles_;
  std::vector<int> numbers_;
  std::vector<Index> order_;
  std::vector<int> position_;
  std::vector<Change> changes_;
  std::vector<Cut> cuts_;
  std::vector<int> corner_of_;
  std::vector<int> end_at_;
  std::vector<Path> paths_;
  std::vector<Group> groups_;
};

}  // namespace moco
