// A tour as an array of cities with their positions, on which exchanges of any number of edges are made in one go: the
// longest path between removed edges stays where it is, the others are written to their new places, each city once.
// What a kick changes is written down, so that it can be taken back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "moco/core/team.h"
#include "moco/types.h"

namespace moco {

/// Removes the edges {t1, t2}, {t3, t4}, … of a tour and adds {t2, t3}, {t4, t5}, …, {t2k, t1}.
struct EdgeExchange {
  static constexpr int kMost = 8;  ///< edges

  double gain = 0.0;
  int edges = 0;                        ///< k, 0 for no exchange
  std::array<Index, 2 * kMost> ends{};  ///< t1 … t2k

  std::span<const Index> touched() const { return {ends.data(), 2 * static_cast<std::size_t>(edges)}; }
};

class ArrayTour {
 public:
  /// Works on `order`, the cities in the order of the tour.
  explicit ArrayTour(std::vector<Index>& order)
      : n_(static_cast<int>(order.size())), order_(order.data()), position_(order.size()) {
    for (int i = 0; i < n_; ++i) {
      position_[at(order_[i])] = i;
    }
  }

  static SerialTeam team() { return {}; }
  int size() const { return n_; }
  Index next(Index city) const {
    const int i = position_[at(city)] + 1;
    return order_[i == n_ ? 0 : i];
  }
  Index previous(Index city) const {
    const int i = position_[at(city)];
    return order_[i == 0 ? n_ - 1 : i - 1];
  }
  /// The city `steps` (0 … n) after or before a city.
  Index along(Index city, int steps, bool forward) const {
    return order_[wrapped(forward ? position_[at(city)] + steps : position_[at(city)] - steps)];
  }
  /// Steps from one city to another, going forward or backward.
  int steps_between(Index from, Index to, bool forward) const {
    const int ahead = position_[at(to)] - position_[at(from)];
    return wrapped(forward ? ahead : -ahead);
  }

  /// Whether an exchange leaves one cycle.
  bool is_tour(const EdgeExchange& exchange) const {
    Paths paths;
    return arrange(exchange, paths);
  }

  /// Makes an exchange that leaves one cycle, or none at all. An exchange that reverses no path keeps the direction of
  /// all.
  void make(const EdgeExchange& exchange) {
    if (exchange.edges == 0) {
      return;
    }
    Paths paths;
    arrange(exchange, paths);
    moved_.clear();
    std::array<Run, EdgeExchange::kMost> runs{};
    int count = 0;
    int to = wrapped(paths[0].begin + paths[0].length);
    for (int i = 1; i < exchange.edges; ++i) {
      const Path& path = paths[at(i)];
      if (path.begin == to) {
        if (path.reversed) {
          reverse(path.begin, path.length);
          if (journal_) {
            changes_.push_back({path.begin, path.length});
          }
        }
      } else {
        runs[at(count++)] = {to, path.length};
        read(path);
      }
      to = wrapped(to + path.length);
    }
    std::size_t from = 0;
    for (int i = 0; i < count; ++i) {
      write(runs[at(i)], from);
      from += at(runs[at(i)].length);
    }
  }

  /// Forgets the past: what is made from now on can be taken back.
  void begin_journal() {
    journal_ = true;
    changes_.clear();
    overwritten_.clear();
  }
  void take_back() {
    for (; !changes_.empty(); changes_.pop_back()) {
      const Run& change = changes_.back();
      if (change.length > 0) {
        reverse(change.begin, change.length);
        continue;
      }
      const std::size_t left = overwritten_.size() - at(-change.length);
      place(change.begin, {overwritten_.data() + left, at(-change.length)});
      overwritten_.erase(overwritten_.end() + change.length, overwritten_.end());
    }
  }
  /// The tour as it was when the journal began.
  std::vector<Index> before_journal() const {
    std::vector<Index> cities(order_, order_ + n_);
    std::size_t left = overwritten_.size();
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
      if (change->length > 0) {
        for (int i = change->begin, j = change->begin + change->length - 1; i < j; ++i, --j) {
          std::swap(cities[at(wrapped(i))], cities[at(wrapped(j))]);
        }
        continue;
      }
      left -= at(-change->length);
      for (int i = 0; i < -change->length; ++i) {
        cities[at(wrapped(change->begin + i))] = overwritten_[left + at(i)];
      }
    }
    return cities;
  }

 private:
  /// A path between two removed edges, as it lies in the array, and how the new tour runs through it.
  struct Path {
    int begin = 0;
    int length = 0;
    bool reversed = false;
  };
  using Paths = std::array<Path, EdgeExchange::kMost>;

  /// Places in the array; in the journal, a negative length counts overwritten cities, a positive one reversed ones.
  struct Run {
    int begin = 0;
    int length = 0;
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  int wrapped(int i) const { return i >= n_ ? i - n_ : i < 0 ? i + n_ : i; }

  /// The paths in the order of the new tour, the longest one first and forward; false when they form several cycles.
  bool arrange(const EdgeExchange& exchange, Paths& paths) const {
    struct Cut {
      int position;  ///< of the city before it
      int before;    ///< number of that end
      int behind;
    };
    std::array<Cut, EdgeExchange::kMost> cuts;
    const int k = exchange.edges;
    for (int i = 0; i < k; ++i) {
      int before = 2 * i;
      int behind = 2 * i + 1;
      if (next(exchange.ends[at(before)]) != exchange.ends[at(behind)]) {
        std::swap(before, behind);
      }
      const Cut cut{position_[at(exchange.ends[at(before)])], before, behind};
      int place = i;
      for (; place > 0 && cuts[at(place - 1)].position > cut.position; --place) {
        cuts[at(place)] = cuts[at(place - 1)];
      }
      cuts[at(place)] = cut;
    }
    // Path j lies between cuts j − 1 and j; its ends are corners 2j and 2j + 1.
    std::array<int, 2 * EdgeExchange::kMost> corner_of;  // of an end
    std::array<int, 2 * EdgeExchange::kMost> end_at;     // a corner
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

  void reverse(int begin, int length) {
    int i = begin;
    int j = wrapped(begin + length - 1);
    for (int swaps = length / 2; swaps > 0; --swaps) {
      const Index a = order_[i];
      const Index b = order_[j];
      order_[i] = b;
      position_[at(b)] = i;
      order_[j] = a;
      position_[at(a)] = j;
      i = i + 1 == n_ ? 0 : i + 1;
      j = j == 0 ? n_ - 1 : j - 1;
    }
  }

  /// Appends a path's cities to moved_, as the new tour runs through them.
  void read(const Path& path) {
    int i = path.reversed ? wrapped(path.begin + path.length - 1) : path.begin;
    for (int left = path.length; left > 0; --left) {
      moved_.push_back(order_[i]);
      i = path.reversed ? (i == 0 ? n_ - 1 : i - 1) : (i + 1 == n_ ? 0 : i + 1);
    }
  }

  void write(const Run& run, std::size_t from) {
    if (journal_) {
      int i = run.begin;
      for (int left = run.length; left > 0; --left) {
        overwritten_.push_back(order_[i]);
        i = i + 1 == n_ ? 0 : i + 1;
      }
      changes_.push_back({run.begin, -run.length});
    }
    place(run.begin, {moved_.data() + from, at(run.length)});
  }

  void place(int i, std::span<const Index> cities) {
    for (const Index city : cities) {
      order_[i] = city;
      position_[at(city)] = i;
      i = i + 1 == n_ ? 0 : i + 1;
    }
  }

  int n_;
  Index* order_;
  std::vector<int> position_;
  std::vector<Index> moved_;
  bool journal_ = false;
  std::vector<Run> changes_;
  std::vector<Index> overwritten_;
};

}  // namespace moco
