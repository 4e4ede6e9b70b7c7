// A tour as an array of cities with their positions, on which exchanges of any number of edges are made in one go: the
// longest path between removed edges stays where it is, the others are written to their new places, each city once. One
// definition for all engines.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "moco/core/team.h"
#include "moco/types.h"

namespace moco {

/// Removes the edges {t1, t2}, {t3, t4}, … of a tour and adds {t2, t3}, {t4, t5}, …, {t2k, t1}.
template <std::size_t Most>
struct ExchangeOfEdges {
  double gain = 0.0;
  int edges = 0;                       ///< k, 0 for no exchange
  std::array<Index, 2 * Most> ends{};  ///< t1 … t2k

  /// End number i, for lanes that ask for different ones: no address of an array, which would keep it in memory.
  MOCO_TEAM_CODE Index end(int i) const { return end(i, std::make_index_sequence<2 * Most>()); }
  std::span<const Index> touched() const { return {ends.data(), 2 * static_cast<std::size_t>(edges)}; }

 private:
  template <std::size_t... J>
  MOCO_TEAM_CODE Index end(int i, std::index_sequence<J...> /*all*/) const {
    Index city = 0;
    ((city = i == static_cast<int>(J) ? ends[J] : city), ...);
    return city;
  }
};
using EdgeExchange = ExchangeOfEdges<8>;

/// Keeps no account of what is overwritten.
struct NoJournal {
  MOCO_TEAM_CODE void reversed(int, int) const {}
  template <typename City>
  MOCO_TEAM_CODE void overwritten(const City*, int, int, int) const {}
};

/// `City` holds the number of a city or a position.
template <typename Team, typename City>
class TourArrays {
 public:
  /// `order` holds the n cities in order, `moved` has room for n; locate() comes before all else.
  MOCO_TEAM_CODE TourArrays(const Team& team, int n, City* order, City* position, City* moved)
      : team_(team), n_(n), order_(order), position_(position), moved_(moved) {}

  MOCO_TEAM_CODE void locate() {
    for (int i = team_.lane(); i < n_; i += Team::width) {
      position_[order_[i]] = static_cast<City>(i);
    }
    team_.sync();
  }

  MOCO_TEAM_CODE const Team& team() const { return team_; }
  MOCO_TEAM_CODE int size() const { return n_; }
  MOCO_TEAM_CODE Index next(Index city) const {
    const int i = position_[city] + 1;
    return order_[i == n_ ? 0 : i];
  }
  MOCO_TEAM_CODE Index previous(Index city) const {
    const int i = position_[city];
    return order_[i == 0 ? n_ - 1 : i - 1];
  }
  /// The city `steps` (0 … n) after or before a city.
  MOCO_TEAM_CODE Index along(Index city, int steps, bool forward) const {
    return order_[wrapped(forward ? position_[city] + steps : position_[city] - steps)];
  }
  /// Steps from one city to another, going forward or backward.
  MOCO_TEAM_CODE int steps_between(Index from, Index to, bool forward) const {
    const int ahead = position_[to] - position_[from];
    return wrapped(forward ? ahead : -ahead);
  }

  /// Whether an exchange leaves one cycle.
  template <std::size_t Most>
  MOCO_TEAM_CODE bool is_tour(const ExchangeOfEdges<Most>& exchange) const {
    std::array<Path, Most> paths;
    return arrange(exchange, paths);
  }

  /// Makes an exchange that leaves one cycle, or none at all. An exchange that reverses no path keeps the direction of
  /// all. `journal` hears of everything before it is overwritten.
  template <std::size_t Most, typename Journal>
  MOCO_TEAM_CODE void make(const ExchangeOfEdges<Most>& exchange, Journal& journal) {
    if (exchange.edges == 0) {
      return;
    }
    if (exchange.edges == 2) {
      reverse_shorter(exchange, journal);
      return;
    }
    std::array<Path, Most> paths;
    if (exchange.edges == 3) {
      arrange_three(exchange, paths);
    } else if constexpr (Most > 3) {
      arrange(exchange, paths);
    }
    for_changed_paths(paths, exchange.edges, [&](const Path& path, int to, int moved) {
      if (path.begin != to) {
        read(path, moved_ + moved);
      } else if (path.reversed) {
        reverse(path.begin, path.length);
        journal.reversed(path.begin, path.length);
      }
    });
    team_.sync();
    for_changed_paths(paths, exchange.edges, [&](const Path& path, int to, int moved) {
      if (path.begin != to) {
        journal.overwritten(order_, n_, to, path.length);
        place(to, moved_ + moved, path.length);
      }
    });
    team_.sync();
  }

 protected:
  MOCO_TEAM_CODE int wrapped(int i) const { return i >= n_ ? i - n_ : i < 0 ? i + n_ : i; }

  MOCO_TEAM_CODE void reverse(int begin, int length) {
    const int end = begin + length - 1;
    team_.sync();
    for (int i = team_.lane(); i < length / 2; i += Team::width) {
      const int left = wrapped(begin + i);
      const int right = wrapped(end - i);
      const City a = order_[left];
      const City b = order_[right];
      order_[left] = b;
      position_[b] = static_cast<City>(left);
      order_[right] = a;
      position_[a] = static_cast<City>(right);
    }
    team_.sync();
  }

  MOCO_TEAM_CODE void place(int begin, const City* cities, int length) {
    for (int i = team_.lane(); i < length; i += Team::width) {
      const int to = wrapped(begin + i);
      order_[to] = cities[i];
      position_[cities[i]] = static_cast<City>(to);
    }
  }

 private:
  /// A path between two removed edges, as it lies in the array, and how the new tour runs through it.
  struct Path {
    int begin = 0;
    int length = 0;
    bool reversed = false;
  };

  /// An edge that is removed.
  struct Cut {
    int position;  ///< of the city before it
    int before;    ///< number of that end
    int behind;
  };

  MOCO_TEAM_CODE static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  /// Calls body(path, its place in the new tour, cities that moved before it) for all paths but the first one, which
  /// stays.
  template <std::size_t Most, typename Body>
  MOCO_TEAM_CODE void for_changed_paths(const std::array<Path, Most>& paths, int count, const Body& body) const {
    int to = wrapped(paths[0].begin + paths[0].length);
    int moved = 0;
    MOCO_TEAM_UNROLL
    for (int i = 1; i < static_cast<int>(Most); ++i) {
      if (i < count) {
        const Path& path = paths[at(i)];
        body(path, to, moved);
        moved += path.begin != to ? path.length : 0;
        to = wrapped(to + path.length);
      }
    }
  }

  /// The edge from an end to the one behind it in the list of an exchange.
  template <std::size_t Most>
  MOCO_TEAM_CODE Cut cut_at(const ExchangeOfEdges<Most>& exchange, int end) const {
    const Index one = exchange.ends[at(end)];
    return next(one) == exchange.ends[at(end + 1)] ? Cut{position_[one], end, end + 1}
                                                   : Cut{position_[exchange.ends[at(end + 1)]], end + 1, end};
  }

  /// Two edges: one of the paths between them is turned round.
  template <std::size_t Most, typename Journal>
  MOCO_TEAM_CODE void reverse_shorter(const ExchangeOfEdges<Most>& exchange, Journal& journal) {
    const int one = cut_at(exchange, 0).position;
    const int other = cut_at(exchange, 2).position;
    const int low = one < other ? one : other;
    const int high = one < other ? other : one;
    const int inner = high - low;
    const int begin = inner > n_ - inner ? wrapped(high + 1) : low + 1;
    const int length = inner > n_ - inner ? n_ - inner : inner;
    reverse(begin, length);
    journal.reversed(begin, length);
  }

  /// arrange() of three edges, in registers: tables of ends and corners are words of four bits each.
  template <std::size_t Most>
  MOCO_TEAM_CODE void arrange_three(const ExchangeOfEdges<Most>& exchange, std::array<Path, Most>& paths) const {
    Cut a = cut_at(exchange, 0);
    Cut b = cut_at(exchange, 2);
    Cut c = cut_at(exchange, 4);
    const auto order = [](Cut& low, Cut& high) {
      if (high.position < low.position) {
        const Cut other = low;
        low = high;
        high = other;
      }
    };
    order(a, b);
    order(b, c);
    order(a, b);
    const auto corners = [](const Cut& cut, unsigned before, unsigned behind) {
      return before << 4 * cut.before | behind << 4 * cut.behind;
    };
    const unsigned corner_of = corners(a, 1, 2) | corners(b, 3, 4) | corners(c, 5, 0);
    const unsigned end_at = static_cast<unsigned>(c.behind) | static_cast<unsigned>(a.before) << 4 |
                            static_cast<unsigned>(a.behind) << 8 | static_cast<unsigned>(b.before) << 12 |
                            static_cast<unsigned>(b.behind) << 16 | static_cast<unsigned>(c.before) << 20;
    const Path first{wrapped(c.position + 1), a.position - c.position + n_, false};
    const Path second{a.position + 1, b.position - a.position, false};
    const Path third{b.position + 1, c.position - b.position, false};
    const bool second_is_longer = second.length > first.length;
    const bool third_is_longest = third.length > (second_is_longer ? second.length : first.length);
    int corner = third_is_longest ? 4 : second_is_longer ? 2 : 0;
    MOCO_TEAM_UNROLL
    for (std::size_t i = 0; i < 3; ++i) {
      paths[i] = corner < 2 ? first : corner < 4 ? second : third;
      paths[i].reversed = corner % 2 != 0;
      const int end = static_cast<int>(end_at >> 4 * (corner ^ 1) & 7u);
      const int mate = end % 2 == 1 ? (end == 5 ? 0 : end + 1) : end == 0 ? 5 : end - 1;
      corner = static_cast<int>(corner_of >> 4 * mate & 7u);
    }
  }

  /// The paths in the order of the new tour, the longest one first and forward; false when they form several cycles.
  template <std::size_t Most>
  MOCO_TEAM_CODE bool arrange(const ExchangeOfEdges<Most>& exchange, std::array<Path, Most>& paths) const {
    std::array<Cut, Most> cuts;
    const int k = exchange.edges;
    for (int i = 0; i < k; ++i) {
      const Cut cut = cut_at(exchange, 2 * i);
      int place = i;
      for (; place > 0 && cuts[at(place - 1)].position > cut.position; --place) {
        cuts[at(place)] = cuts[at(place - 1)];
      }
      cuts[at(place)] = cut;
    }
    // Path j lies between cuts j − 1 and j; its ends are corners 2j and 2j + 1.
    std::array<int, 2 * Most> corner_of;  // of an end
    std::array<int, 2 * Most> end_at;     // a corner
    int longest = 0;
    int most = -1;
    for (int j = 0; j < k; ++j) {
      const Cut& from = cuts[at(j == 0 ? k - 1 : j - 1)];
      corner_of[at(from.behind)] = 2 * j;
      end_at[at(2 * j)] = from.behind;
      corner_of[at(cuts[at(j)].before)] = 2 * j + 1;
      end_at[at(2 * j + 1)] = cuts[at(j)].before;
      const int length = j == 0 ? cuts[0].position - from.position + n_ : cuts[at(j)].position - from.position;
      if (length > most) {
        most = length;
        longest = j;
      }
    }
    int corner = 2 * longest;
    for (int i = 0; i < k; ++i) {
      const int j = corner / 2;
      const int before = cuts[at(j == 0 ? k - 1 : j - 1)].position;
      const int length = cuts[at(j)].position - before + (j == 0 ? n_ : 0);
      paths[at(i)] = {wrapped(before + 1), length, corner % 2 != 0};
      const int end = end_at[at(corner ^ 1)];
      const int mate = end == 0 ? 2 * k - 1 : end == 2 * k - 1 ? 0 : end % 2 == 1 ? end + 1 : end - 1;
      corner = corner_of[at(mate)];
      if (corner == 2 * longest) {
        return i == k - 1;
      }
    }
    return false;
  }

  /// Copies a path's cities, as the new tour runs through them.
  MOCO_TEAM_CODE void read(const Path& path, City* to) const {
    const int end = path.begin + path.length - 1;
    for (int i = team_.lane(); i < path.length; i += Team::width) {
      to[i] = order_[wrapped(path.reversed ? end - i : path.begin + i)];
    }
  }

 protected:
  Team team_;
  int n_;
  City* order_;
  City* position_;
  City* moved_;
};

}  // namespace moco
