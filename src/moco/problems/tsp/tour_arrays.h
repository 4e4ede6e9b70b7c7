// A tour as an array of cities with their positions, on which exchanges of any number of edges are made in one go: the
// longest path between removed edges stays where it is, the others are written to their new places, each city once. One
// definition for all engines.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "moco/core/team.h"
#include "moco/types.h"

namespace moco {

/// Removes the edges {t1, t2}, {t3, t4}, … of a tour and adds {t2, t3}, {t4, t5}, …, {t2k, t1}.
template <std::size_t Most>
struct ExchangeOfEdges {
  static constexpr int kMost = static_cast<int>(Most);  ///< edges

  double gain = 0.0;
  int edges = 0;                        ///< k, 0 for no exchange
  std::array<Index, 2 * Most> ends{};  ///< t1 … t2k

  MOCO_TEAM_CODE int touched_count() const { return 2 * edges; }
  std::span<const Index> touched() const { return {ends.data(), 2 * static_cast<std::size_t>(edges)}; }
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
    std::array<Path, Most> paths;
    arrange(exchange, paths);
    int begin[Most];  // of what is written, and its length
    int length[Most];
    int count = 0;
    int moved = 0;
    int to = wrapped(paths[0].begin + paths[0].length);
    for (int i = 1; i < exchange.edges; ++i) {
      const Path& path = paths[at(i)];
      if (path.begin == to) {
        if (path.reversed) {
          reverse(path.begin, path.length);
          journal.reversed(path.begin, path.length);
        }
      } else {
        begin[count] = to;
        length[count++] = path.length;
        read(path, moved_ + moved);
        moved += path.length;
      }
      to = wrapped(to + path.length);
    }
    team_.sync();
    moved = 0;
    for (int i = 0; i < count; ++i) {
      journal.overwritten(order_, n_, begin[i], length[i]);
      place(begin[i], moved_ + moved, length[i]);
      moved += length[i];
    }
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

  MOCO_TEAM_CODE static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  /// The paths in the order of the new tour, the longest one first and forward; false when they form several cycles.
  template <std::size_t Most>
  MOCO_TEAM_CODE bool arrange(const ExchangeOfEdges<Most>& exchange, std::array<Path, Most>& paths) const {
    struct Cut {
      int position;  ///< of the city before it
      int before;    ///< number of that end
      int behind;
    };
    std::array<Cut, Most> cuts;
    const int k = exchange.edges;
    for (int i = 0; i < k; ++i) {
      int before = 2 * i;
      int behind = 2 * i + 1;
      if (next(exchange.ends[at(before)]) != exchange.ends[at(behind)]) {
        before = 2 * i + 1;
        behind = 2 * i;
      }
      const Cut cut{position_[exchange.ends[at(before)]], before, behind};
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
